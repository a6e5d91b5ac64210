package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"inkshade/recognizer/ink"
)

// IDX is the format of MNIST (LeCun et al.): a magic number of two zeros, the type of the
// values (8, unsigned bytes) and the number of dimensions, then each dimension, then the
// values; all numbers 32 bits, big-endian.
const (
	idxLabels = 0x00000801
	idxImages = 0x00000803
)

// maxIDX bounds the images of one file, in bytes.
const maxIDX = 1 << 30

// ReadIDXImages reads images of any size, plain or gzip'ed, as ink: byte 0 is paper, 255
// is 1. pix holds them one after the other. Truncated files, other types and absurd sizes are errors.
func ReadIDXImages(r io.Reader) (pix []byte, width, height int, err error) {
	b, err := ink.Unzip(r)
	if err != nil {
		return nil, 0, 0, err
	}
	header, err := idxHeader(b, idxImages, "images")
	if err != nil {
		return nil, 0, 0, err
	}
	count, rows, columns := header[0], header[1], header[2]
	const side = 1 << 12
	if rows == 0 || columns == 0 || rows > side || columns > side {
		return nil, 0, 0, fmt.Errorf("the IDX file says its images have %dx%d pixels; 1x1 to %dx%d can be read", columns, rows, side, side)
	}
	pix, err = idxValues(b, uint64(count)*uint64(rows)*uint64(columns))
	return pix, int(columns), int(rows), err
}

// ReadIDXLabels reads one byte a sample, plain or gzip'ed.
func ReadIDXLabels(r io.Reader) ([]byte, error) {
	b, err := ink.Unzip(r)
	if err != nil {
		return nil, err
	}
	header, err := idxHeader(b, idxLabels, "labels")
	if err != nil {
		return nil, err
	}
	return idxValues(b, uint64(header[0]))
}

func idxHeader(b *bufio.Reader, magic uint32, what string) ([]uint32, error) {
	var got uint32
	if err := binary.Read(b, binary.BigEndian, &got); err != nil {
		return nil, early(err)
	}
	if got != magic {
		return nil, fmt.Errorf("the file is no IDX file of %s: it begins with %#08x, not %#08x", what, got, magic)
	}
	header := make([]uint32, magic&0xff)
	if err := binary.Read(b, binary.BigEndian, header); err != nil {
		return nil, early(err)
	}
	return header, nil
}

// idxValues takes memory as the values arrive, not as the header promises.
func idxValues(b *bufio.Reader, n uint64) ([]byte, error) {
	if n > maxIDX {
		return nil, fmt.Errorf("the IDX file says it holds %d bytes, more than %d; split it", n, maxIDX)
	}
	values, err := io.ReadAll(io.LimitReader(b, int64(n)))
	if err != nil {
		return nil, early(err)
	}
	if uint64(len(values)) < n {
		return nil, fmt.Errorf("the IDX file ends after %d of %d bytes; get it again", len(values), n)
	}
	return values, nil
}

func early(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the IDX file ends early; get it again")
	}
	return fmt.Errorf("the IDX file cannot be read: %w", err)
}

// WriteIDXImages writes images of one size.
func WriteIDXImages(w io.Writer, images []ink.Image) error {
	width, height := ink.Side, ink.Side
	if len(images) > 0 {
		width, height = images[0].Width, images[0].Height
	}
	out := bufio.NewWriter(w)
	if err := binary.Write(out, binary.BigEndian, []uint32{idxImages, uint32(len(images)), uint32(height), uint32(width)}); err != nil {
		return err
	}
	for i, img := range images {
		if img.Width != width || img.Height != height {
			return fmt.Errorf("image %d has %dx%d pixels and the first %dx%d; an IDX file holds one size", i, img.Width, img.Height, width, height)
		}
		for _, v := range img.Pix {
			out.WriteByte(byte(v*255 + 0.5))
		}
	}
	return out.Flush()
}

// WriteIDXLabels writes one byte a sample.
func WriteIDXLabels(w io.Writer, labels []byte) error {
	if err := binary.Write(w, binary.BigEndian, []uint32{idxLabels, uint32(len(labels))}); err != nil {
		return err
	}
	_, err := w.Write(labels)
	return err
}
