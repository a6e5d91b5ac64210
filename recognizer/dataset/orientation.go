package dataset

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
)

// orientation finds how a camera was held, 1 to 8 as in the Exif standard (CIPA DC-008,
// tag 0x0112), in a JPEG or PNG file; 1, upright, where the file does not say.
func orientation(file []byte) int {
	if tiff, ok := bytes.CutPrefix(exifOfJPEG(file), []byte("Exif\x00\x00")); ok {
		return orientationOfTIFF(tiff)
	}
	return orientationOfTIFF(exifOfPNG(file))
}

// exifOfJPEG is the content of the first APP1 segment that begins like Exif.
func exifOfJPEG(file []byte) []byte {
	b, ok := bytes.CutPrefix(file, []byte{0xff, 0xd8})
	for ok && len(b) >= 4 && b[0] == 0xff && b[1] != 0xda {
		size := int(binary.BigEndian.Uint16(b[2:]))
		if size < 2 || len(b) < 2+size {
			return nil
		}
		if content := b[4 : 2+size]; b[1] == 0xe1 && bytes.HasPrefix(content, []byte("Exif")) {
			return content
		}
		b = b[2+size:]
	}
	return nil
}

// exifOfPNG is the content of the chunk eXIf.
func exifOfPNG(file []byte) []byte {
	b, ok := bytes.CutPrefix(file, []byte("\x89PNG\r\n\x1a\n"))
	for ok && len(b) >= 12 {
		size := uint64(binary.BigEndian.Uint32(b))
		if uint64(len(b)) < 12+size {
			return nil
		}
		if string(b[4:8]) == "eXIf" {
			return b[8 : 8+size]
		}
		b = b[12+size:]
	}
	return nil
}

func orientationOfTIFF(b []byte) int {
	var order binary.ByteOrder = binary.LittleEndian
	if bytes.HasPrefix(b, []byte("MM")) {
		order = binary.BigEndian
	}
	if len(b) < 8 || order.Uint16(b[2:]) != 42 {
		return 1
	}
	at := uint64(order.Uint32(b[4:]))
	if at+2 > uint64(len(b)) {
		return 1
	}
	const entry = 12
	entries := b[at+2:]
	for range order.Uint16(b[at:]) {
		if len(entries) < entry {
			return 1
		}
		if order.Uint16(entries) == 0x0112 {
			if o := order.Uint16(entries[8:]); o >= 1 && o <= 8 {
				return int(o)
			}
			return 1
		}
		entries = entries[entry:]
	}
	return 1
}

// upright shows a picture as the camera saw it.
type upright struct {
	image.Image
	orientation int
}

// Bounds implements image.Image.
func (u upright) Bounds() image.Rectangle {
	b := u.Image.Bounds()
	if u.orientation >= 5 {
		return image.Rect(0, 0, b.Dy(), b.Dx())
	}
	return image.Rect(0, 0, b.Dx(), b.Dy())
}

// At implements image.Image.
func (u upright) At(x, y int) color.Color {
	b := u.Image.Bounds()
	right, bottom := b.Dx()-1, b.Dy()-1
	switch u.orientation {
	case 2:
		x = right - x
	case 3:
		x, y = right-x, bottom-y
	case 4:
		y = bottom - y
	case 5:
		x, y = y, x
	case 6:
		x, y = y, bottom-x
	case 7:
		x, y = right-y, bottom-x
	case 8:
		x, y = right-y, x
	}
	return u.Image.At(b.Min.X+x, b.Min.Y+y)
}
