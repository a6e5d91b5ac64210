package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// IDX is the format of MNIST (LeCun et al.): a magic number of two zeros, the type of the
// values (8, unsigned bytes) and the number of dimensions, then each dimension, then the
// values; all numbers 32 bits, big-endian.
const (
	idxLabels = 0x00000801
	idxImages = 0x00000803
)

const (
	maxSide = 1 << 10 // of an image, in pixels
	// unzipping is how many times its own size an IDX file may take where that is more than
	// ink.MaxMemory: 28x28 images of handwriting take twenty times.
	unzipping = 32
)

// readLabels reads the labels of images: an IDX file, whose bytes are numbers, or UTF-8 text with a
// label a line; plain or gzip'ed. The labels must not take more memory than most bytes.
func readLabels(r io.Reader, most int) ([]string, error) {
	b, err := files.Unzip(r)
	if err != nil {
		return nil, err
	}
	var labels []string
	if zeros, err := b.Peek(2); err != nil || string(zeros) == "\x00\x00" {
		f, err := openIDX(b, idxLabels, most)
		if err != nil {
			return nil, err
		}
		bytes, err := f.values()
		for _, v := range bytes {
			labels = append(labels, strconv.Itoa(int(v)))
		}
		return labels, err
	}
	lines := bufio.NewScanner(b)
	for lines.Scan() {
		label := strings.TrimSpace(lines.Text())
		switch most -= len(label) + 32; {
		case label == "" || !utf8.ValidString(label):
			return nil, fmt.Errorf("line %d holds no label; a file of labels is an IDX file, or UTF-8 text with a label a line", len(labels)+1)
		case most < 0:
			return nil, fmt.Errorf("the file holds more than %d labels, which is too many; split it", len(labels))
		}
		labels = append(labels, label)
	}
	return labels, lines.Err()
}

// idxFile is an IDX file whose header has been read; a label is one byte.
type idxFile struct {
	from                 *bufio.Reader
	count, width, height int
}

// openIDX reads the header of a file of that magic number, whose samples must not take more
// memory than most bytes.
func openIDX(r io.Reader, magic uint32, most int) (*idxFile, error) {
	b, err := files.Unzip(r)
	if err != nil {
		return nil, err
	}
	var got uint32
	if err := binary.Read(b, binary.BigEndian, &got); err != nil {
		return nil, early(err)
	}
	if got != magic {
		what := map[uint32]string{idxImages: "images", idxLabels: "labels"}[magic]
		return nil, fmt.Errorf("the file is no IDX file of %s: it begins with %#08x, not %#08x", what, got, magic)
	}
	header := [3]uint32{1: 1, 2: 1} // count, rows, columns
	if err := binary.Read(b, binary.BigEndian, header[:magic&0xff]); err != nil {
		return nil, early(err)
	}
	count, rows, columns := header[0], header[1], header[2]
	if rows == 0 || columns == 0 || rows > maxSide || columns > maxSide {
		return nil, fmt.Errorf("the IDX file says its images have %dx%d pixels; 1x1 to %dx%d can be read", columns, rows, maxSide, maxSide)
	}
	each := uint64(rows) * uint64(columns)
	if magic == idxImages {
		each += ink.SampleMemory
		if max(rows, columns) > ink.Side {
			each += ink.DetailSide * ink.DetailSide
		}
	}
	if memory := uint64(count) * each; memory > uint64(most) {
		return nil, fmt.Errorf("the IDX file says it holds %d samples, which take %d MB, more than %d; split it", count, memory>>20, most>>20)
	}
	return &idxFile{b, int(count), int(columns), int(rows)}, nil
}

func (f *idxFile) values() ([]byte, error) {
	values := make([]byte, f.count*f.width*f.height)
	n, err := io.ReadFull(f.from, values)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("the IDX file ends after %d of %d bytes; get it again", n, len(values))
	}
	if err != nil {
		return nil, fmt.Errorf("the IDX file cannot be read: %w", files.Cause(err))
	}
	return values, nil
}

func early(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the IDX file ends early; get it again")
	}
	return fmt.Errorf("the IDX file cannot be read: %w", files.Cause(err))
}
