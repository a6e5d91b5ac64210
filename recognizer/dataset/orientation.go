package dataset

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// orientation finds how a camera was held, 1 to 8 as in the Exif standard (CIPA DC-008,
// tag 0x0112), in a JPEG, PNG or WebP file; 1, upright, where the file does not say.
func orientation(file []byte) int {
	exif := slices.Concat(exifOfJPEG(file), exifOfPNG(file), exifOfWebP(file)) // it can be one of them only
	return orientationOfTIFF(bytes.TrimPrefix(exif, []byte("Exif\x00\x00")))
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

// exifOfWebP is the content of the chunk EXIF of a RIFF file, whose chunks fill whole pairs of bytes.
func exifOfWebP(file []byte) []byte {
	if len(file) < magicSize || !bytes.HasPrefix(file, []byte("RIFF")) {
		return nil
	}
	for b := file[magicSize:]; len(b) >= 8; {
		size := uint64(binary.LittleEndian.Uint32(b[4:]))
		if uint64(len(b)) < 8+size {
			return nil
		}
		if string(b[:4]) == "EXIF" {
			return b[8 : 8+size]
		}
		b = b[min(8+size+size%2, uint64(len(b))):]
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

// seen is where the pixel at x, y of a picture as it was before the camera lies in the stored one,
// whose last column and row are right and bottom.
func seen[T int | float64](orientation int, x, y, right, bottom T) (sx, sy T) {
	switch orientation {
	case 2:
		return right - x, y
	case 3:
		return right - x, bottom - y
	case 4:
		return x, bottom - y
	case 5:
		return y, x
	case 6:
		return y, bottom - x
	case 7:
		return right - y, bottom - x
	case 8:
		return right - y, x
	}
	return x, y
}

// upright turns a stored picture, with so many values to a pixel, as it was before the camera.
func upright[T any](orientation int, pix []T, each, width, height int) (out []T, outWidth, outHeight int) {
	if orientation == 1 {
		return pix, width, height
	}
	if outWidth, outHeight = width, height; orientation >= 5 {
		outWidth, outHeight = height, width
	}
	out = make([]T, 0, len(pix))
	for y := range outHeight {
		for x := range outWidth {
			sx, sy := seen(orientation, x, y, width-1, height-1)
			out = append(out, pix[(sy*width+sx)*each:][:each]...)
		}
	}
	return out, outWidth, outHeight
}
