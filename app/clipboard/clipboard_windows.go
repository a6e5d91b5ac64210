package clipboard

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/png"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/image/bmp"
)

var (
	user32           = syscall.NewLazyDLL("user32.dll")
	kernel32         = syscall.NewLazyDLL("kernel32.dll")
	openClipboard    = user32.NewProc("OpenClipboard")
	closeClipboard   = user32.NewProc("CloseClipboard")
	getClipboardData = user32.NewProc("GetClipboardData")
	registerFormat   = user32.NewProc("RegisterClipboardFormatW")
	globalLock       = kernel32.NewProc("GlobalLock")
	globalUnlock     = kernel32.NewProc("GlobalUnlock")
	globalSize       = kernel32.NewProc("GlobalSize")
)

const formatDIB = 8 // CF_DIB: a bitmap without the header of a file; Windows makes it of others

// Picture gives the picture on the clipboard as the file of one, nil where there is none.
func Picture() ([]byte, error) {
	runtime.LockOSThread() // which the clipboard is open for
	defer runtime.UnlockOSThread()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) { // another program may have it open
		ok, _, err := openClipboard.Call(0)
		if ok != 0 {
			break
		}
		if time.Since(began) > patience {
			return nil, fmt.Errorf("clipboard: %w", err)
		}
	}
	defer closeClipboard.Call()
	name, err := syscall.UTF16PtrFromString("PNG") // as browsers and screenshots have it
	if err != nil {
		return nil, err
	}
	format, _, _ := registerFormat.Call(uintptr(unsafe.Pointer(name)))
	if file := data(format); len(file) > 0 {
		return file, nil
	}
	if dib := data(formatDIB); len(dib) > 0 {
		return pngOf(dib)
	}
	return nil, nil
}

// data copies what the clipboard has in a format.
func data(format uintptr) []byte {
	memory, _, _ := getClipboardData.Call(format)
	if memory == 0 {
		return nil
	}
	size, _, _ := globalSize.Call(memory)
	at, _, _ := globalLock.Call(memory)
	if at == 0 || size > most {
		return nil
	}
	defer globalUnlock.Call(memory)
	return bytes.Clone(unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size))
}

// pngOf makes the file of a picture of a BITMAPINFO and its pixels. Of what may follow the header, the masks of
// the colours are those that pixels without masks have.
func pngOf(dib []byte) ([]byte, error) {
	const fileHeader, infoHeader = 14, 40
	if len(dib) < infoHeader {
		return nil, fmt.Errorf("clipboard: a bitmap of %d bytes", len(dib))
	}
	at := func(i int) uint32 { return binary.LittleEndian.Uint32(dib[i:]) }
	header, bits, masked := int(at(0)), int(at(14)&0xffff), at(16) == 3
	skip := header
	if header == infoHeader && masked {
		skip += 12
	}
	palette := 0
	if bits <= 8 {
		if palette = 4 * int(at(32)); palette == 0 {
			palette = 4 << bits
		}
	}
	if skip < infoHeader || skip > len(dib) {
		return nil, fmt.Errorf("clipboard: a bitmap with a header of %d bytes", header)
	}
	file := append([]byte("BM"), make([]byte, fileHeader-2)...)
	binary.LittleEndian.PutUint32(file[10:], uint32(fileHeader+infoHeader+palette))
	file = append(file, dib[:infoHeader]...)
	binary.LittleEndian.PutUint32(file[fileHeader:], infoHeader)
	if masked {
		binary.LittleEndian.PutUint32(file[fileHeader+16:], 0)
	}
	img, err := bmp.Decode(bytes.NewReader(append(file, dib[skip:]...)))
	if err != nil {
		return nil, fmt.Errorf("clipboard: %w", err)
	}
	var out bytes.Buffer
	err = png.Encode(&out, img)
	return out.Bytes(), err
}
