package clipboard

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/image/bmp"
)

// put puts bytes on the clipboard in a format, alone.
func put(t *testing.T, format uintptr, content []byte) {
	t.Helper()
	call := func(p *syscall.LazyProc, args ...uintptr) uintptr {
		r, _, err := p.Call(args...)
		if r == 0 {
			t.Fatalf("%s: %v", p.Name, err)
		}
		return r
	}
	memory := call(kernel32.NewProc("GlobalAlloc"), 2, uintptr(len(content)))
	at := call(globalLock, memory)
	copy(unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), len(content)), content)
	_, _, _ = globalUnlock.Call(memory)
	runtime.LockOSThread() // which the clipboard is open for
	defer runtime.UnlockOSThread()
	call(openClipboard, 0)
	call(user32.NewProc("EmptyClipboard"))
	call(user32.NewProc("SetClipboardData"), format, memory)
	call(closeClipboard)
}

func TestPictureOnTheClipboard(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 5, 3)) // not opaque, so that a bitmap has 32 bits a pixel
	for i := range 15 {
		img.SetNRGBA(i%5, i/5, color.NRGBA{uint8(16 * i), uint8(255 - i), uint8(3 * i), 254})
	}
	var asPNG, asBMP bytes.Buffer
	if err := png.Encode(&asPNG, img); err != nil {
		t.Fatal(err)
	}
	if err := bmp.Encode(&asBMP, img); err != nil {
		t.Fatal(err)
	}
	dib := asBMP.Bytes()[14:]
	masked := slices.Insert(slices.Clone(dib), 40, make([]byte, 12)...)
	masked[16] = 3
	name, err := syscall.UTF16PtrFromString("PNG")
	if err != nil {
		t.Fatal(err)
	}
	asked, _, _ := registerFormat.Call(uintptr(unsafe.Pointer(name)))
	for what, copied := range map[string]func(){
		"PNG":               func() { put(t, asked, asPNG.Bytes()) },
		"bitmap":            func() { put(t, formatDIB, dib) },
		"bitmap with masks": func() { put(t, formatDIB, masked) },
	} {
		copied()
		file, err := Picture()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		got, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for y := range 3 {
			for x := range 5 {
				c, want := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA), img.NRGBAAt(x, y)
				if c.R != want.R || c.G != want.G || c.B != want.B {
					t.Errorf("%s: pixel %d,%d is %v, want %v", what, x, y, c, want)
				}
			}
		}
	}
	put(t, 1, []byte("text\x00"))
	if file, err := Picture(); err != nil || file != nil {
		t.Errorf("of text: %d bytes, %v", len(file), err)
	}
	if _, err := pngOf(dib[:20]); err == nil {
		t.Error("a part of a header is taken for a bitmap")
	}
}
