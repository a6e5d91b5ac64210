package samples

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// exportFolder writes every sample that f chooses as a picture into a folder of its class (dataset.FolderOfLabel) below
// dir, and returns how many there were. A picture is PNG, 28x28, white on black, as a model sees it; its ink and all
// that is known of it travel within, as a text chunk of the keyword "inkshade" that other programs pass over, so that
// Find gives the same samples; so nobody else can read them. It makes dir when all is written, and fails when that holds anything: the pictures of
// an earlier export must not mix with these. progress, which may be nil, is told how many of how many pictures are written.
func (s *Store) exportFolder(ctx context.Context, dir string, f Filter, progress Progress) (int, error) {
	samples, err := s.List(f)
	if err != nil {
		return 0, err
	}
	if dir, err = files.Followed(filepath.Clean(dir)); err != nil { // without the separator that a shell writes behind a folder
		return 0, err
	}
	if there, err := os.ReadDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	} else if len(there) > 0 {
		return 0, message.Errorf("the folder is not empty; choose another")
	}
	above := filepath.Dir(dir)
	if err := os.MkdirAll(above, 0o700); err != nil {
		return 0, err
	}
	const passing = ".inkshade-export-"
	files.Sweep(above, passing)
	scratch, err := os.MkdirTemp(above, passing)
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(scratch)
	fresh := filepath.Join(scratch, filepath.Base(dir))
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return 0, err
	}
	for i := range samples {
		v := &samples[i]
		begin := strings.ToValidUTF8(v.Label[:min(len(v.Label), ink.MaxLabel)], "") // of a long line, whose picture has the whole within
		class := filepath.Join(fresh, dataset.FolderOfLabel(begin))
		picture, err := v.picture()
		switch {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case err != nil:
			return 0, message.Errorf("sample %d (%s): %w", v.ID, v.Label, err)
		}
		if err := cmp.Or(os.MkdirAll(class, 0o700), os.WriteFile(filepath.Join(class, fmt.Sprintf("%08d.png", v.ID)), picture, 0o600)); err != nil {
			return 0, err
		}
		progress.tell(i+1, len(samples))
	}
	// Rename replaces no folder; Remove removes only an empty one.
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	return len(samples), os.Rename(fresh, dir)
}

func (s *Sample) picture() ([]byte, error) {
	img, err := ink.Rasterize(s.Ink)
	if err != nil {
		return nil, err
	}
	grey := image.NewGray(image.Rect(0, 0, img.Width, img.Height))
	for i, v := range img.Pix {
		grey.Pix[i] = uint8(math.Round(float64(v) * 255))
	}
	var b, text bytes.Buffer
	if err := png.Encode(&b, grey); err != nil {
		return nil, err
	}
	if err := ink.WriteJSONLines(&text, []ink.Labelled{s.labelled()}); err != nil {
		return nil, err
	}
	return addText(b.Bytes(), text.String()), nil
}

// findPictures reads a folder with one folder of pictures for each class. The folder of a picture is its label. A picture
// that exportFolder made gives the sample it was made of; from any other, PNG, JPEG, GIF or WebP, the strokes are traced (see
// ink.Trace), without time or order. A picture that cannot be read, or is blank, is skipped.
func findPictures(ctx context.Context, dir string, progress Progress) (Found, error) {
	paths, err := picturesIn(ctx, dir)
	if err != nil {
		return nil, err
	}
	found := make(Found, len(paths))
	var mu sync.Mutex
	done := 0
	return found, dataset.InParallel(ctx, len(paths), func(_ context.Context, i int) error {
		path := paths[i]
		class := filepath.Base(filepath.Dir(path))
		c := &found[i]
		c.file, c.name = dir, message.Text("%s", files.Shown(filepath.Join(class, filepath.Base(path))))
		c.sample, c.problem = readPictureFile(path)
		c.sample.ID, c.sample.Label = 0, dataset.LabelOfFolder(class)
		mu.Lock()
		defer mu.Unlock()
		done++
		progress.tell(done, len(paths))
		return nil
	})
}

// picturesIn are the files with names of pictures in the folders in dir.
func picturesIn(ctx context.Context, dir string) ([]string, error) {
	var found []string
	classes, err := os.ReadDir(dir)
	for _, class := range classes { // in order of names, so exportFolder's pictures of a class come in order of their ids
		if err = errors.Join(err, ctx.Err()); err != nil || !class.IsDir() {
			continue
		}
		var pictures []string
		pictures, err = dataset.PicturesIn(filepath.Join(dir, class.Name()))
		found = append(found, pictures...)
	}
	if err == nil && len(found) == 0 {
		err = message.Errorf("it holds no folder of pictures (.png, .jpg, .gif, .webp); expected one folder for each class")
	}
	return found, err
}

// ReadPicture gives the strokes of a picture of one drawing, or of a line of characters (PNG, JPEG,
// GIF, WebP): those that an export wrote into it, or else those along the middle of its lines.
func ReadPicture(f io.ReadSeeker, line bool) (ink.Ink, error) {
	s, err := readPicture(f, line)
	return s.Ink, err
}

func readPicture(f io.ReadSeeker, line bool) (Sample, error) {
	b := bufio.NewReader(io.LimitReader(f, maxPictureText))
	if head, err := b.Peek(len(dataset.PNGSignature)); err == nil && string(head) == dataset.PNGSignature {
		if file, err := io.ReadAll(b); err == nil {
			if all, err := ink.Read(strings.NewReader(findText(file))); err == nil && len(all) == 1 {
				return fromLabelled(all[0])
			}
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Sample{}, err
	}
	img, err := dataset.DecodePicture(f, line)
	if err != nil {
		return Sample{}, err
	}
	k, err := trace(img, line)
	return Sample{Ink: k, DeviceScale: 1}, err
}

// trace gives the strokes along the middle of the lines in a picture, those of one character ink.TracedSide high or wide.
func trace(img ink.Image, isLine bool) (ink.Ink, error) {
	if isLine {
		return line.Trace(img)
	}
	k, err := ink.Trace(img, ink.TracedSide)
	x0, y0, x1, y1, ok := k.Bounds()
	if longer := max(x1-x0, y1-y0); ok && longer > 0 {
		k = k.Map(func(p ink.Point) ink.Point {
			return ink.Point{X: (p.X - x0) * ink.TracedSide / longer, Y: (p.Y - y0) * ink.TracedSide / longer}
		})
	}
	return k, err
}

func readPictureFile(path string) (Sample, error) {
	f, err := files.Open(path)
	if err != nil {
		return Sample{}, files.Cause(err)
	}
	defer f.Close()
	return readPicture(f, false)
}

// TracePart gives the strokes along the middle of the lines in a part of a picture, as ReadPicture does.
func TracePart(p *dataset.Picture, part dataset.Part, line bool) (ink.Ink, error) {
	img, err := p.Ink(part, line)
	if err != nil {
		return nil, err
	}
	return trace(img, line)
}

// An iTXt chunk (PNG specification, third edition, 11.3.3.4): keyword, 0, not compressed, method 0, no language, 0, no
// translation, 0, text in UTF-8. Programs that do not know a keyword pass over its chunk.
const (
	textChunk      = "iTXt"
	textKeyword    = "inkshade\x00\x00\x00\x00\x00"
	maxPictureText = 32 << 20
)

// addText returns the PNG file with text in it, in front of its last chunk, the 12 bytes of IEND.
func addText(picture []byte, text string) []byte {
	end := len(picture) - 12
	body := textChunk + textKeyword + text
	b := append([]byte(nil), picture[:end]...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)-len(textChunk)))
	b = append(b, body...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(body)))
	return append(b, picture[end:]...)
}

// findText returns the text that addText has put into a PNG file; "" of any other file.
func findText(file []byte) string {
	for name, content := range dataset.PNGChunks(file) {
		if text, ours := bytes.CutPrefix(content, []byte(textKeyword)); ours && name == textChunk {
			return string(text)
		}
	}
	return ""
}
