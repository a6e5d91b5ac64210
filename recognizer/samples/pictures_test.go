package samples

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
)

func writePicture(t *testing.T, path string, p image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// paint draws black strokes of the given radius on white.
func paint(k ink.Ink, width, height int, radius float64) *image.Gray {
	p := image.NewGray(image.Rect(0, 0, width, height))
	for i := range p.Pix {
		p.Pix[i] = 255
		x, y := float64(i%width), float64(i/width)
		for _, s := range k {
			for j := range s {
				a, b := s[max(j-1, 0)], s[j]
				dx, dy := b.X-a.X, b.Y-a.Y
				f := 0.0
				if d := dx*dx + dy*dy; d > 0 {
					f = min(max(((x-a.X)*dx+(y-a.Y)*dy)/d, 0), 1)
				}
				if math.Hypot(x-a.X-f*dx, y-a.Y-f*dy) <= radius {
					p.Pix[i] = 0
				}
			}
		}
	}
	return p
}

var shapes = map[string]ink.Ink{
	"bar":    {{{X: 40, Y: 10}, {X: 40, Y: 90}}},
	"cross":  {{{X: 10, Y: 10}, {X: 90, Y: 90}}, {{X: 90, Y: 10}, {X: 10, Y: 90}}},
	"angle":  {{{X: 10, Y: 10}, {X: 10, Y: 90}, {X: 90, Y: 90}}},
	"square": {{{X: 20, Y: 20}, {X: 80, Y: 20}, {X: 80, Y: 80}, {X: 20, Y: 80}, {X: 20, Y: 20}}},
	"i":      {{{X: 50, Y: 40}, {X: 50, Y: 95}}, {{X: 50, Y: 15}}},
}

// What is traced from a picture looks like what was drawn: of the ink in the two 28x28 images, at most so much differs.
func TestTracedPicturesLookTheSame(t *testing.T) {
	dir := t.TempDir()
	for name, k := range shapes {
		writePicture(t, filepath.Join(dir, name, "1.png"), paint(k, 100, 100, 5))
		far := image.NewGray(image.Rect(0, 0, 900, 700)) // white on black, small in a corner
		for i, v := range paint(k, 100, 100, 6).Pix {
			far.SetGray(750+i%100, 550+i/100, color.Gray{Y: 255 - v})
		}
		writePicture(t, filepath.Join(dir, name, "2.png"), far)
	}
	s := openTemp(t)
	result := must(s.ImportFile(t.Context(), dir, Stated, nil))(t)
	if len(result.IDs) != 2*len(shapes) || len(result.Skipped) > 0 {
		t.Fatalf("%+v", result)
	}
	for _, v := range must(s.List(Filter{}))(t) {
		got := must(ink.Rasterize(v.Ink))(t)
		want := must(ink.Rasterize(shapes[v.Label]))(t)
		different, all := 0.0, 0.0
		for i := range got.Pix {
			different += math.Abs(float64(got.Pix[i] - want.Pix[i]))
			all += float64(want.Pix[i])
		}
		if different > 0.3*all {
			t.Errorf("%s: %.0f %% of the ink differs; traced as %v", v.Label, 100*different/all, v.Ink)
		}
	}
	if again := must(s.ImportFile(t.Context(), dir, Stated, nil))(t); again.Known != 2*len(shapes) {
		t.Errorf("again: %v", again)
	}
}

func TestTracedStrokes(t *testing.T) {
	// Thinning may leave a crossing as two junctions with a link between them.
	for name, want := range map[string][2]int{"bar": {1, 1}, "cross": {2, 4}, "angle": {1, 1}, "square": {1, 1}, "i": {2, 2}} {
		img := must(ink.FromPicture(paint(shapes[name], 100, 100, 5)))(t)
		if n := len(must(trace(img, false))(t)); n < want[0] || n > want[1] {
			t.Errorf("%s has %d strokes, want %d to %d", name, n, want[0], want[1])
		}
	}
}

func TestTraceKeepsDots(t *testing.T) {
	for side := 1; side <= 30; side++ {
		img := ink.Image{Width: 40, Height: 40, Pix: make([]float32, 1600)}
		for i := range img.Pix {
			if i%40 < side && i/40 < side {
				img.Pix[i] = 1
			}
		}
		if k, err := trace(img, false); err != nil || len(k) == 0 {
			t.Errorf("a square of %d pixels is traced as %v, %v", side, k, err)
		}
	}
	if _, err := trace(ink.Image{Width: 2, Height: 1, Pix: []float32{0, 0}}, false); err == nil {
		t.Error("paper was traced")
	}
}

func TestPicturesThatCannotBeTaken(t *testing.T) {
	dir := t.TempDir()
	s := openTemp(t)
	if _, err := s.ImportFile(t.Context(), dir, Stated, nil); err == nil {
		t.Error("an empty folder was imported")
	}
	writePicture(t, filepath.Join(dir, "a", "blank.png"), image.NewGray(image.Rect(0, 0, 30, 30)))
	writePicture(t, filepath.Join(dir, "a", "good.png"), paint(shapes["bar"], 100, 100, 4))
	writePicture(t, filepath.Join(dir, "loose.png"), paint(shapes["bar"], 100, 100, 4))
	for name, content := range map[string]string{"broken.png": dataset.PNGSignature + "junk", "text.jpg": "text", "notes.txt": "text"} {
		if err := os.WriteFile(filepath.Join(dir, "a", name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	result := must(s.ImportFile(t.Context(), dir, Stated, nil))(t)
	if len(result.IDs) != 1 || len(result.Skipped) != 3 {
		t.Errorf("%+v", result)
	}
}

// A picture of ours that the user puts into another folder has that folder's label.
func TestFolderOfAPictureIsItsLabel(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	s := openTemp(t)
	must(s.Add(sampleOf("1", 1)))(t)
	must(s.ExportFile(t.Context(), dir, Filter{}, nil))(t)
	if err := os.Rename(filepath.Join(dir, "1"), filepath.Join(dir, "7")); err != nil {
		t.Fatal(err)
	}
	result := must(s.ImportFile(t.Context(), dir, Stated, nil))(t)
	if len(result.IDs) != 1 || must(s.Get(result.IDs[0]))(t).Label != "7" {
		t.Errorf("%+v", result)
	}
}

func FuzzPictureText(f *testing.F) {
	v := sampleOf("1", 1)
	picture, err := v.picture()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(picture)
	f.Add([]byte(dataset.PNGSignature + "\x00\x00\x00\x01iTXt"))
	f.Fuzz(func(t *testing.T, file []byte) {
		text := findText(file)
		if again := findText(addText(append([]byte(dataset.PNGSignature), make([]byte, 12)...), text)); again != text {
			t.Fatalf("%q came back as %q", text, again)
		}
	})
}

// Of a line every character is traced as finely as it would be alone.
func TestTraceOfALine(t *testing.T) {
	img := ink.Image{Width: 400, Height: 60, Pix: make([]float32, 400*60)}
	for bar := range 8 {
		for y := 5; y < 55; y++ {
			for x := 20 + 45*bar; x < 24+45*bar; x++ {
				img.Pix[y*img.Width+x] = 1
			}
		}
	}
	for _, line := range []bool{false, true} {
		k, err := trace(img, line)
		if err != nil {
			t.Fatal(err)
		}
		if fine := k.Points() > 8*90; len(k) != 8 || fine != line {
			t.Errorf("line %v: %d strokes of %d points", line, len(k), k.Points())
		}
	}
}

// A link to an empty folder stays one, and the folder has the pictures.
func TestExportedPicturesFollowALink(t *testing.T) {
	s := openIn(t, t.TempDir(), standard())
	must(s.Add(sampleOf("1", 1)))(t)
	dir := t.TempDir()
	folder, link := filepath.Join(dir, "folder"), filepath.Join(dir, "link")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.Symlink(folder, link)); err != nil {
		t.Skip(err)
	}
	must(s.ExportFile(t.Context(), link, Filter{}, nil))(t)
	if there, err := os.ReadDir(folder); err != nil || len(there) != 1 {
		t.Errorf("the folder has %v, error %v", there, err)
	}
}

// A shell that completes the name of a folder writes a separator behind it.
func TestExportedPicturesWithASeparatorBehindTheFolder(t *testing.T) {
	s := openIn(t, t.TempDir(), standard())
	must(s.Add(sampleOf("1", 1)))(t)
	for _, folder := range []string{t.TempDir(), filepath.Join(t.TempDir(), "new")} {
		must(s.ExportFile(t.Context(), folder+string(filepath.Separator), Filter{}, nil))(t)
		if there, err := os.ReadDir(folder); err != nil || len(there) != 1 {
			t.Errorf("the folder has %v, error %v", there, err)
		}
	}
}

// The strokes lie in the pictures: nobody but their owner reads them.
func TestExportedPicturesArePrivate(t *testing.T) {
	s := openIn(t, t.TempDir(), standard())
	must(s.Add(sampleOf("1", 1)))(t)
	dir := filepath.Join(t.TempDir(), "pictures")
	must(s.ExportFile(t.Context(), dir, Filter{}, nil))(t)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info := must(d.Info())(t); info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
