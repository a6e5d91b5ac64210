package dataset

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

func write(t *testing.T, dir, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bar is a picture of an upright bar, dark on light.
func bar(t *testing.T, width, height int) []byte {
	t.Helper()
	p := image.NewGray(image.Rect(0, 0, width, height))
	for i := range p.Pix {
		p.Pix[i] = 255
	}
	for y := height / 5; y < height*4/5; y++ {
		for x := width * 2 / 5; x < width*3/5; x++ {
			p.SetGray(x, y, color.Gray{})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// webpBar is a lossless WebP of 60x60 pixels: a bar of 13 x 37 at 24,12, black on white.
func webpBar(t *testing.T) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString("UklGRjIAAABXRUJQVlA4TCUAAAAvO8AOAA8w//M///MfeFDURgqEA/y7w0kNcD0j+h+AbB31JVoCAA==")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const (
	lines  = `{"label":"1","writer":"a","strokes":[[[0,0],[0,9]]]}` + "\n" + `{"label":"7","context":true,"strokes":[[[0,0],[9,0],[4,9]]]}` + "\n"
	unipen = ".SEGMENT DIGIT 0 ? \"1\"\n.COMMENT 1 12 3\n.PEN_DOWN\n0 0\n0 9\n.PEN_UP\n"
)

func idxPair(t *testing.T, labels []byte, images ...ink.Image) (pix, classes []byte) {
	t.Helper()
	var a, b bytes.Buffer
	if err := writeIDXImages(&a, images); err != nil {
		t.Fatal(err)
	}
	if err := writeIDXLabels(&b, labels); err != nil {
		t.Fatal(err)
	}
	return a.Bytes(), b.Bytes()
}

func TestLoadEveryKind(t *testing.T) {
	dir := t.TempDir()
	drawn, err := ink.Rasterize(ink.Ink{{{X: 0, Y: 0}, {X: 0, Y: 9}}})
	if err != nil {
		t.Fatal(err)
	}
	images, labels := idxPair(t, []byte{3, 12}, drawn, drawn)
	// Names say nothing: what a file is shows in its content.
	paths := []string{
		write(t, dir, "ink/a.dat", []byte(lines)),
		write(t, dir, "ink/b", zipped(t, []byte(unipen))),
		write(t, dir, "images.bin", zipped(t, images)),
		write(t, dir, "labels.bin", labels),
		write(t, dir, "more.bin", images),
		write(t, dir, "labels.txt", zipped(t, []byte("永\r\nA B\n"))),
		filepath.Join(dir, "classes"),
		filepath.Join(dir, "files"),
	}
	write(t, dir, "classes/x/2.png", bar(t, 90, 50))
	write(t, dir, "classes/x/1.PNG", bar(t, 40, 80))
	write(t, dir, "classes/%41/1.png", bar(t, 30, 30))
	write(t, dir, "classes/z/1.webp", webpBar(t))
	write(t, dir, "classes/x/notes.txt", []byte("no picture"))
	write(t, dir, "files/README.md", []byte("no ink"))
	write(t, dir, "files/one.jsonl.gz", zipped(t, []byte(lines)))

	samples, err := load(paths...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range samples {
		if s.Image.Width != ink.Side || s.Image.Height != ink.Side || len(s.Image.Pix) != ink.Side*ink.Side {
			t.Errorf("%+v has an image of %dx%d with %d pixels", s.Label, s.Image.Width, s.Image.Height, len(s.Image.Pix))
		}
		if !slices.ContainsFunc(s.Image.Pix, func(v float32) bool { return v > 0.9 }) {
			t.Errorf("%s from %s has an empty image", s.Label, s.Source)
		}
		rel, _ := filepath.Rel(dir, s.Source)
		context := ""
		if s.Context {
			context = " context"
		}
		got = append(got, s.Label+"|"+s.Writer+"|"+filepath.ToSlash(rel)+context)
	}
	want := []string{
		"1|a|ink/a.dat", "7||ink/a.dat context", "1|12|ink/b", "3||images.bin", "12||images.bin",
		"永||more.bin", "A B||more.bin",
		"A||classes/%41", "x||classes/x", "x||classes/x", "z||classes/z",
		"1|a|files/one.jsonl.gz", "7||files/one.jsonl.gz context",
	}
	if !slices.Equal(got, want) {
		t.Errorf("samples\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if samples[0].Ink.Points() != 2 || samples[3].Ink != nil {
		t.Error("the ink of ink files should be kept, and pictures have none")
	}
	if !slices.Equal(samples[0].Image.Pix, drawn.Pix) {
		t.Error("the image of ink is not Rasterize's")
	}
	// IDX rounds to 255ths.
	for i, v := range samples[3].Image.Pix {
		if d := v - drawn.Pix[i]; d > 0.002 || d < -0.002 {
			t.Fatalf("pixel %d of the IDX image is %g, written was %g", i, v, drawn.Pix[i])
		}
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	blank := ink.Image{Width: 2, Height: 2, Pix: make([]float32, 4)}
	images, labels := idxPair(t, []byte{1, 2}, blank, blank)
	imagesPath, labelsPath := write(t, dir, "i", images), write(t, dir, "l", labels)
	_, three := idxPair(t, []byte{1, 2, 3})
	emptyDir := filepath.Join(dir, "empty")
	if err := os.Mkdir(emptyDir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "broken/x/a.png", []byte("\x89PNG nonsense"))
	write(t, dir, "blank/y/a.png", blankPNG(t))
	write(t, dir, "hollow/z/readme", nil)
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{nil, "no data given"},
		{[]string{filepath.Join(dir, "nothing")}, "nothing: there is no such file or folder; check the name"},
		{[]string{imagesPath}, "name the file of their labels after it"},
		{[]string{write(t, dir, "floats", []byte("\x00\x00\x0d\x03\x00\x00\x00\x01")), labelsPath}, "floats is an IDX file of another type"},
		{[]string{labelsPath, imagesPath}, "name the file of the images before it"},
		{[]string{imagesPath, write(t, dir, "l3", three)}, "has 2 images and"},
		{[]string{imagesPath, imagesPath}, "is no IDX file of labels"},
		{[]string{imagesPath, write(t, dir, "one.txt", []byte("永\n"))}, "has 2 images and"},
		{[]string{imagesPath, write(t, dir, "gap.txt", []byte("永\n\n远"))}, "line 2 holds no label"},
		{[]string{imagesPath, write(t, dir, "latin.txt", []byte("\xe4\n"))}, "line 1 holds no label"},
		{[]string{imagesPath, write(t, dir, "none.txt", nil)}, "ends early"},
		{[]string{imagesPath, labelsPath}, "i: sample 1, labelled \"1\": there is no ink"},
		{[]string{write(t, dir, "p.png", bar(t, 9, 9))}, "single picture without a label"},
		{[]string{write(t, dir, "p.webp", webpBar(t))}, "single picture without a label"},
		{[]string{write(t, dir, "e.jsonl", nil)}, "e.jsonl: the file is empty"},
		{[]string{write(t, dir, "bad.jsonl", []byte(lines+"{}"))}, "bad.jsonl: line 3 has no \"strokes\""},
		{[]string{write(t, dir, "noink.jsonl", []byte(lines+`{"label":"q","strokes":[]}`))}, `noink.jsonl: sample 3, labelled "q": there is no ink`},
		{[]string{emptyDir}, "neither a folder for each class nor ink files"},
		{[]string{filepath.Join(dir, "broken")}, "no PNG, JPEG, GIF or WebP picture that can be read"},
		{[]string{filepath.Join(dir, "blank")}, `y: sample 1, labelled "y": a.png: there is no ink`},
		{[]string{filepath.Join(dir, "hollow")}, "holds no .png, .jpg, .gif or .webp picture"},
	} {
		samples, err := load(c.paths...)
		if err == nil || samples != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q in it", c.paths, err, c.want)
		}
	}
}

// Pictures that are finer than 28x28 keep their detail, with hairlines as they are; others have none.
func TestLoadKeepsDetail(t *testing.T) {
	dir := t.TempDir()
	fine := ink.Image{Width: ink.DetailSide, Height: ink.DetailSide, Pix: make([]float32, ink.DetailSide*ink.DetailSide)}
	if err := ink.DrawDetail(fine.Pix, tree, 2.4); err != nil {
		t.Fatal(err)
	}
	images, labels := idxPair(t, []byte{1}, fine)
	sheet := image.NewGray(image.Rect(0, 0, ink.DetailSide, ink.DetailSide))
	for i, v := range fine.Pix {
		sheet.Pix[i] = 255 - uint8(255*v)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, sheet); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "classes/x/1.png", file.Bytes())
	samples, err := load(write(t, dir, "i", images), write(t, dir, "l", labels), filepath.Join(dir, "classes"), write(t, dir, "ink.jsonl", []byte(lines)))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range samples {
		if (s.Image.Detail != nil) != (i < 2) {
			t.Fatalf("sample %d, %s, has %d pixels of detail", i, s.Label, len(s.Image.Detail))
		}
		off := 0.0
		for j, v := range s.Image.Detail {
			off += math.Abs(float64(v)/255 - float64(fine.Pix[j]))
		}
		if off > 40 {
			t.Errorf("the detail of sample %d is off by %g pixels of ink", i, off)
		}
	}
}

// TestLoadLeavesOutWhatIsBlank mixes samples without ink with others, of every kind of file.
func TestLoadLeavesOutWhatIsBlank(t *testing.T) {
	dir := t.TempDir()
	drawn, err := ink.Rasterize(ink.Ink{{{X: 0, Y: 0}, {X: 0, Y: 9}}})
	if err != nil {
		t.Fatal(err)
	}
	none := ink.Image{Width: ink.Side, Height: ink.Side, Pix: make([]float32, ink.Side*ink.Side)}
	images, labels := idxPair(t, []byte{3, 4, 5}, drawn, none, drawn)
	write(t, dir, "classes/x/1.png", blankPNG(t))
	write(t, dir, "classes/x/2.png", bar(t, 40, 80))
	samples, blank, err := readAndDraw(t.Context(),
		write(t, dir, "a.jsonl", []byte(`{"label":"q","strokes":[]}`+"\n"+lines)),
		write(t, dir, "i", images), write(t, dir, "l", labels), filepath.Join(dir, "classes"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range samples {
		if got = append(got, s.Label); !slices.ContainsFunc(s.Image.Pix, func(v float32) bool { return v > 0.9 }) {
			t.Errorf("%s has an empty image", s.Label)
		}
	}
	if want := []string{"1", "7", "3", "5", "x"}; !slices.Equal(got, want) {
		t.Errorf("samples %q, want %q", got, want)
	}
	for i, want := range []string{`a.jsonl: sample 1, labelled "q"`, `i: sample 2, labelled "4"`, `x: sample 1, labelled "x": 1.png`} {
		if len(blank) != 3 || !strings.Contains(blank[i].Error(), want) || !errors.Is(blank[i], ink.ErrEmpty) {
			t.Fatalf("blank are %v", blank)
		}
	}
}

// Samples that come in parts are those that Read gives at once, and nothing but a part has its images.
func TestSamplesComeInParts(t *testing.T) {
	dir := t.TempDir()
	for i, content := range [][]byte{bar(t, 2, 9), blankPNG(t), bar(t, 9, 2), bar(t, 4, 9), blankPNG(t), bar(t, 2, 8)} {
		write(t, dir, fmt.Sprintf("%d/%d.png", i/3, i), content)
	}
	all, without, err := Read(t.Context(), dir)
	if err != nil || len(all) != 4 || len(without) != 2 {
		t.Fatalf("at once: %d samples and %d blank ones, error %v", len(all), len(without), err)
	}
	found, err := Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var samples []Sample
	var blank []error
	sizes := []int{}
	err = found.Each(t.Context(), 4, func(part []Sample, none []error) error {
		samples, blank, sizes = append(samples, part...), append(blank, none...), append(sizes, len(part))
		return nil
	})
	if err != nil || !reflect.DeepEqual(samples, all) || fmt.Sprint(blank) != fmt.Sprint(without) || !slices.Equal(sizes, []int{3, 1}) {
		t.Errorf("parts of %v, blank %v, error %v: %+v", sizes, blank, err, samples)
	}
	for _, d := range found {
		if d.sample.Image.Pix != nil {
			t.Error("the image of a part that is done is kept")
		}
	}
	stop := errors.New("enough")
	if err := found.Each(t.Context(), 1, func([]Sample, []error) error { return stop }); err != stop {
		t.Errorf("an end in its midst gives %v", err)
	}
	if err := (Found{found[1], found[4]}).Each(t.Context(), 1, func([]Sample, []error) error { return nil }); !errors.Is(err, ink.ErrEmpty) {
		t.Errorf("of blank pictures alone: %v", err)
	}
}

func blankPNG(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 5, 5))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHugePictureIsNotDecoded(t *testing.T) {
	// The header of a PNG of 60000x60000 pixels, its checksum included, and nothing else.
	content := bar(t, 9, 9)
	copy(content[16:], []byte{0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60})
	if _, err := DecodePicture(bytes.NewReader(content), false); err == nil {
		t.Error("no error")
	}
	// A WebP of 16384x16384.
	content = webpBar(t)
	copy(content[21:], []byte{0xff, 0xff, 0xff, 0x0f})
	if _, err := DecodePicture(bytes.NewReader(content), false); err == nil || !strings.Contains(err.Error(), "16384x16384") {
		t.Errorf("error %v", err)
	}
	// 8000x8000 of 16 bits in four colours.
	content = bar(t, 9, 9)
	copy(content[16:], []byte{0, 0, 0x1f, 0x40, 0, 0, 0x1f, 0x40, 16, 6})
	binary.BigEndian.PutUint32(content[29:], crc32.ChecksumIEEE(content[12:29]))
	if _, err := DecodePicture(bytes.NewReader(content), false); err == nil || !strings.Contains(err.Error(), "takes 488 MB in memory") {
		t.Errorf("error %v", err)
	}
}

func TestLoadStops(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "many.jsonl", bytes.Repeat([]byte(lines), 1000))
	samples, _, err := readAndDraw(t.Context(), path)
	if err != nil || len(samples) != 2000 {
		t.Errorf("%d samples, error %v", len(samples), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := readAndDraw(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func readAndDraw(ctx context.Context, paths ...string) (samples []Sample, blank []error, err error) {
	if samples, blank, err = Read(ctx, paths...); err == nil {
		err = Draw(ctx, samples)
	}
	return samples, blank, err
}

// load takes a sample without ink for an error.
func load(paths ...string) ([]Sample, error) {
	samples, blank, err := readAndDraw(context.Background(), paths...)
	if err == nil && len(blank) > 0 {
		return nil, blank[0]
	}
	return samples, err
}

func TestFoldersOfLabels(t *testing.T) {
	seen := map[string]string{}
	for _, label := range []string{"a", "A", "0", ".", "..", "/", "\\", "%", "漢", "a b", "", "alpha", "\xff", "%41"} {
		name := FolderOfLabel(label)
		if got := LabelOfFolder(name); got != label {
			t.Errorf("%q becomes %q", label, got)
		}
		if strings.ContainsAny(name, `/\:. `) {
			t.Errorf("%q has the folder %q", label, name)
		}
		lower := strings.ToLower(name)
		if other, ok := seen[lower]; ok {
			t.Errorf("%q and %q have the same folder %q", label, other, lower)
		}
		seen[lower] = label
	}
}

// A large file, and a folder of large pictures, must not hold up a cancel.
func TestLoadStopsInTheMidst(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	large := io.MultiReader(strings.NewReader(lines), endOf(cancel), strings.NewReader(lines+"no ink"))
	if _, err := ink.Read(files.Reader(ctx, large, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("reading ink gives %v", err)
	}
	for name, read := range map[string]func(context.Context, string) ([]draft, error){
		"lines.jsonl": func(ctx context.Context, path string) ([]draft, error) { return readInk(ctx, path, os.Open) },
		"images.idx":  func(ctx context.Context, path string) ([]draft, error) { return readIDXPair(ctx, path, path) },
	} {
		if _, err := read(ctx, write(t, t.TempDir(), name, []byte(lines))); !errors.Is(err, context.Canceled) {
			t.Errorf("reading %s gives %v", name, err)
		}
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	var drawn atomic.Int64
	drafts := make([]draft, 200)
	for i := range drafts {
		drafts[i].picture = func() (ink.Image, error) {
			drawn.Add(1)
			cancel()
			return ink.Image{}, nil
		}
	}
	if _, _, err := finish(ctx, drafts); !errors.Is(err, context.Canceled) || drawn.Load() > int64(runtime.GOMAXPROCS(0)) {
		t.Errorf("%d pictures were drawn after a cancel, error %v", drawn.Load(), err)
	}
}

// endOf is a reader of nothing that calls a function when it is read.
type endOf func()

func (e endOf) Read([]byte) (int, error) {
	e()
	return 0, io.EOF
}
