package dataset

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
)

func TestBrokenIDX(t *testing.T) {
	images, _ := idxPair(t, nil, ink.Image{Width: 2, Height: 3, Pix: make([]float32, 6)})
	header := func(values ...uint32) []byte {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.BigEndian, values); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, c := range []struct {
		content []byte
		want    string
	}{
		{nil, "ends early"},
		{images[:3], "ends early"},
		{images[:10], "ends early"},
		{images[:len(images)-1], "ends after 5 of 6 bytes"},
		{zipped(t, images)[:20], "ends early"},
		{[]byte("{\"label\":1}"), "begins with 0x7b226c61"},
		{header(idxLabels, 1), "begins with 0x00000801"},
		{header(0xd03, 1, 2, 3), "begins with 0x00000d03"},
		{header(idxImages, 1, 0, 28), "1x1 to 1024x1024 can be read"},
		{header(idxImages, 1, 28, 1<<31), "1x1 to 1024x1024 can be read"},
		{header(idxImages, 1<<32-1, 1024, 1024), "more than"},
		{header(idxImages, 1<<14, 28, 28), "ends after 0 of"},
	} {
		if _, _, _, err := readIDXImages(bytes.NewReader(c.content)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: error %v, want %q in it", c.content, err, c.want)
		}
	}
	if _, err := readIDXLabels(bytes.NewReader(images)); err == nil || !strings.Contains(err.Error(), "no IDX file of labels") {
		t.Errorf("images as labels: error %v", err)
	}
	two := []ink.Image{{Width: 1, Height: 1, Pix: []float32{1}}, {Width: 2, Height: 1, Pix: []float32{1, 0}}}
	if err := writeIDXImages(&bytes.Buffer{}, two); err == nil || !strings.Contains(err.Error(), "holds one size") {
		t.Errorf("images of two sizes: error %v", err)
	}
}

func FuzzReadIDX(f *testing.F) {
	var images, labels bytes.Buffer
	if err := writeIDXImages(&images, []ink.Image{{Width: 2, Height: 3, Pix: []float32{0, 1, 0, 0.5, 1, 0}}}); err != nil {
		f.Fatal(err)
	}
	if err := writeIDXLabels(&labels, []byte{7}); err != nil {
		f.Fatal(err)
	}
	f.Add(images.Bytes())
	f.Add(labels.Bytes())
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if pix, width, height, err := readIDXImages(bytes.NewReader(content)); err == nil {
			if width < 1 || height < 1 || len(pix)%(width*height) != 0 {
				t.Fatalf("%d bytes of %dx%d pixels", len(pix), width, height)
			}
			var written []ink.Image
			for at := 0; at < len(pix); at += width * height {
				img := ink.Image{Width: width, Height: height}
				for _, v := range pix[at : at+width*height] {
					img.Pix = append(img.Pix, float32(v)/255)
				}
				written = append(written, img)
			}
			var b bytes.Buffer
			if err := writeIDXImages(&b, written); err != nil {
				t.Fatal(err)
			}
			if again, _, _, err := readIDXImages(&b); err != nil || !bytes.Equal(again, pix) {
				t.Fatalf("written and read again it differs (%v)", err)
			}
		}
		if classes, err := readIDXLabels(bytes.NewReader(content)); err == nil {
			var b bytes.Buffer
			if err := writeIDXLabels(&b, classes); err != nil {
				t.Fatal(err)
			}
			if again, err := readIDXLabels(&b); err != nil || !bytes.Equal(again, classes) {
				t.Fatalf("written and read again it differs (%v)", err)
			}
		}
	})
}

// What a header promises is compared with the labels before anything is read of it.
func TestIDXThatDisagreesIsNotRead(t *testing.T) {
	dir := t.TempDir()
	header := func(values ...uint32) []byte {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.BigEndian, values); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	images := write(t, dir, "images", header(idxImages, 50000, 28, 28))
	labels := write(t, dir, "labels", append(header(idxLabels, 2), 0, 1))
	if _, err := load(images, labels); err == nil || !strings.Contains(err.Error(), "has 50000 images and "+labels+" has 2 labels") {
		t.Errorf("error %v", err)
	}
	images = write(t, dir, "many", header(idxImages, 1<<30, 1, 1))
	labels = write(t, dir, "many labels", header(idxLabels, 1<<30))
	if _, err := load(images, labels); err == nil || !strings.Contains(err.Error(), "more than 240; split it") {
		t.Errorf("error %v", err)
	}
}

// readIDXImages reads images of any size, plain or gzip'ed, as ink: byte 0 is paper, 255
// is 1. pix holds them one after the other. Truncated files, other types and absurd sizes are errors.
func readIDXImages(r io.Reader) (pix []byte, width, height int, err error) {
	f, err := openIDX(r, idxImages, ink.MaxMemory)
	if err != nil {
		return nil, 0, 0, err
	}
	pix, err = f.values()
	return pix, f.width, f.height, err
}

// readIDXLabels reads one byte a sample, plain or gzip'ed.
func readIDXLabels(r io.Reader) ([]byte, error) {
	f, err := openIDX(r, idxLabels, ink.MaxMemory)
	if err != nil {
		return nil, err
	}
	return f.values()
}

// writeIDXImages writes images of one size.
func writeIDXImages(w io.Writer, images []ink.Image) error {
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

// writeIDXLabels writes one byte a sample.
func writeIDXLabels(w io.Writer, labels []byte) error {
	if err := binary.Write(w, binary.BigEndian, []uint32{idxLabels, uint32(len(labels))}); err != nil {
		return err
	}
	_, err := w.Write(labels)
	return err
}
