package dataset

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"iter"
	"slices"
)

// orientation finds how a camera was held, 1 to 8 as in the Exif standard (CIPA DC-008,
// tag 0x0112), in a JPEG, PNG or WebP file; 1, upright, where the file does not say.
func orientation(file []byte) int {
	for _, parts := range []iter.Seq2[string, []byte]{jpegSegments(file), PNGChunks(file), riffChunks(file)} { // it can be one of them only
		for name, content := range parts {
			if exif, is := bytes.CutPrefix(content, []byte("Exif\x00\x00")); name == "eXIf" || name == "EXIF" || name == "\xff\xe1" && is {
				return orientationOfTIFF(exif)
			}
		}
	}
	return 1
}

// jpegSegments are those of a JPEG file before its pixels, by their markers.
func jpegSegments(file []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		b, ok := bytes.CutPrefix(file, []byte{0xff, 0xd8})
		for ok && len(b) >= 4 && b[0] == 0xff && b[1] != 0xda {
			end := 2 + int(binary.BigEndian.Uint16(b[2:]))
			ok = end >= 4 && end <= len(b) && yield(string(b[:2]), b[4:end])
			b = b[min(end, len(b)):]
		}
	}
}

// PNGSignature begins a PNG file.
const PNGSignature = "\x89PNG\r\n\x1a\n"

// PNGChunks are those of a PNG file that fit their checksums, by their types.
func PNGChunks(file []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		b, ok := bytes.CutPrefix(file, []byte(PNGSignature))
		for ok && len(b) >= 12 {
			end := 8 + uint64(binary.BigEndian.Uint32(b))
			if ok = end+4 <= uint64(len(b)); ok {
				ok = crc32.ChecksumIEEE(b[4:end]) != binary.BigEndian.Uint32(b[end:]) || yield(string(b[4:8]), b[8:end])
				b = b[end+4:]
			}
		}
	}
}

// riffChunks are those of a WebP file, by their names; they fill whole pairs of bytes.
func riffChunks(file []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		b := file[min(magicSize, len(file)):]
		for ok := bytes.HasPrefix(file, []byte("RIFF")); ok && len(b) >= 8; {
			end := 8 + uint64(binary.LittleEndian.Uint32(b[4:]))
			ok = end <= uint64(len(b)) && yield(string(b[:4]), b[8:end])
			b = b[min(end+end%2, uint64(len(b))):]
		}
	}
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
	const size = 12
	entries := b[at+2:]
	whole := min(int(order.Uint16(b[at:])), len(entries)/size)
	for entry := range slices.Chunk(entries[:whole*size], size) {
		if order.Uint16(entry) != 0x0112 {
			continue
		}
		if o := order.Uint16(entry[8:]); o >= 1 && o <= 8 {
			return int(o)
		}
		break
	}
	return 1
}

// seen is where the pixel at x, y of a picture as it was before the camera lies in the stored one,
// whose last column and row are right and bottom.
func seen[T int | float64](orientation int, x, y, right, bottom T) (sx, sy T) {
	if orientation >= 5 {
		x, y = y, x
	}
	switch orientation {
	case 2, 3, 7, 8:
		x = right - x
	}
	switch orientation {
	case 3, 4, 6, 7:
		y = bottom - y
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
