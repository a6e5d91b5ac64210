package ink_test

import (
	"image"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// mnist returns the images of MNIST as bytes, one after the other, and their labels.
func mnist(t *testing.T, name string) (pix, labels []byte) {
	t.Helper()
	values := func(name string, header int) []byte {
		f, err := os.Open(datatest.Require(t, "mnist", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		b, err := files.Unzip(f)
		if err != nil {
			t.Fatal(err)
		}
		file, err := io.ReadAll(b)
		if err != nil || len(file) < header {
			t.Fatalf("%s has %d bytes, error %v", name, len(file), err)
		}
		return file[header:]
	}
	return values(name+"-images-idx3-ubyte.gz", 16), values(name+"-labels-idx1-ubyte.gz", 8)
}

func asInk(pix []byte) ink.Image {
	img := ink.Image{Width: ink.Side, Height: ink.Side, Pix: make([]float32, len(pix))}
	for i, v := range pix {
		img.Pix[i] = float32(v) / 255
	}
	return img
}

// TestMNISTPassesUnchanged sends all 70,000 images through Normalize, and every fiftieth as a
// picture and as its negative.
func TestMNISTPassesUnchanged(t *testing.T) {
	const size = ink.Side * ink.Side
	total, pictures := 0, 0
	for _, name := range []string{"train", "t10k"} {
		pix, _ := mnist(t, name)
		for i := 0; i < len(pix); i += size {
			total++
			want := asInk(pix[i : i+size])
			got, err := ink.Normalize(want)
			if err != nil || !slices.Equal(got.Pix, want.Pix) {
				t.Fatalf("%s image %d changes (%v)", name, i/size, err)
			}
			if i/size%50 != 0 {
				continue
			}
			pictures++
			picture := &image.Gray{Pix: pix[i : i+size], Stride: ink.Side, Rect: image.Rect(0, 0, ink.Side, ink.Side)}
			negative := image.NewGray(picture.Rect)
			for j, v := range picture.Pix {
				negative.Pix[j] = 255 - v
			}
			for _, p := range []image.Image{picture, negative} {
				full, err := ink.FromPicture(p)
				if err != nil {
					t.Fatalf("%s image %d: %v", name, i/size, err)
				}
				got, err := ink.Normalize(full)
				if err != nil || !slices.Equal(got.Pix, want.Pix) {
					t.Fatalf("%s image %d changes as a picture (%v)", name, i/size, err)
				}
			}
		}
	}
	t.Logf("%d images, %d of them also as pictures and negatives: all unchanged", total, pictures)
}

// TestPenMatchesMNIST compares the mean ink of a digit, over the ten labels, with what
// our pen leaves for the strokes of pendigits and UNIPEN.
func TestPenMatchesMNIST(t *testing.T) {
	pix, labels := mnist(t, "train")
	var samples []dataset.Sample
	for i, l := range labels {
		samples = append(samples, dataset.Sample{
			Label: string('0' + rune(l)), Image: asInk(pix[i*784 : (i+1)*784]),
		})
	}
	mnistMass, mnistWidth := meanInk(samples)
	drawn, _, err := dataset.Read(t.Context(), datatest.Require(t, "pendigits", "pendigits-train.gz"), datatest.Require(t, "unipen", "digits.jsonl.gz"))
	if err == nil {
		err = dataset.Draw(t.Context(), drawn)
	}
	if err != nil {
		t.Fatal(err)
	}
	mass, width := meanInk(drawn)
	t.Logf("mean ink %.1f (MNIST %.1f), mean width of the stroke %.2f pixels (MNIST %.2f)", mass, mnistMass, width, mnistWidth)
	if math.Abs(mass/mnistMass-1) > 0.03 {
		t.Errorf("mean ink of %.1f pixels, MNIST has %.1f", mass, mnistMass)
	}
	if math.Abs(width/mnistWidth-1) > 0.06 {
		t.Errorf("strokes are %.2f pixels wide, MNIST's %.2f", width, mnistWidth)
	}
}

// meanInk is the mean amount of ink and width of the stroke, every label counting the
// same. The width of a long line is twice its area over its perimeter, which is the sum of
// the gradients.
func meanInk(samples []dataset.Sample) (mass, width float64) {
	type sums struct{ n, mass, width float64 }
	labels := map[string]*sums{}
	for _, s := range samples {
		var ink, edge float64
		for y := range 27 {
			for x := range 27 {
				v := float64(s.Image.Pix[y*28+x])
				ink += v
				edge += math.Hypot(float64(s.Image.Pix[y*28+x+1])-v, float64(s.Image.Pix[y*28+28+x])-v)
			}
		}
		l := labels[s.Label]
		if l == nil {
			l = new(sums)
			labels[s.Label] = l
		}
		l.n++
		l.mass += ink
		l.width += 2 * ink / edge
	}
	for _, l := range labels {
		mass += l.mass / l.n / float64(len(labels))
		width += l.width / l.n / float64(len(labels))
	}
	return mass, width
}
