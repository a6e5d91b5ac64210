package ink

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
)

// Format is a format of ink files. All that reads, writes or offers ink files learns of it from here; what there is to know of
// one lies in its own file, which registers it.
type Format struct {
	Name    string   // as people know it
	MIME    string   // that the installed program claims; "" where it belongs to others
	Endings []string // of its files' names, in small letters; the first one is for new files
	Shared  []string // endings that files of other kinds have, too: not looked for in a folder, and not claimed

	Prefix string                                          // what its files begin with, after white space
	Read   func(r io.Reader, f func(Labelled) error) error // is given UTF-8
	Write  func(w io.Writer, samples []Labelled) error     // keeps all that Read has read
}

// formats has the default first.
var formats []Format

// defaultFormat is the name of the format that is offered first.
const defaultFormat = "JSON Lines"

// Register makes a format known.
func Register(f Format) {
	at := len(formats)
	if f.Name == defaultFormat {
		at = 0
	}
	formats = slices.Insert(formats, at, f)
}

// Formats lists all formats, the one to offer first at the beginning.
func Formats() []Format { return slices.Clone(formats) }

// Names are those of all formats, in one line.
func Names() string { return listed(func(f Format) string { return f.Name }) }

// NewEndings are those of new files, in one line.
func NewEndings() string { return listed(func(f Format) string { return f.Endings[0] }) }

func listed(of func(Format) string) string {
	var all []string
	for _, f := range formats {
		all = append(all, of(f))
	}
	return strings.Join(all, ", ")
}

// Zipped is the ending of gzip'ed files, behind another one.
const Zipped = ".gz"

// FormatOf finds the format that a file's name ends in, with or without Zipped.
func FormatOf(name string) (f Format, known bool) {
	ending := endingOf(name)
	i := slices.IndexFunc(formats, func(f Format) bool { return slices.Contains(f.Endings, ending) || slices.Contains(f.Shared, ending) })
	if ending == "" || i < 0 {
		return f, false
	}
	return formats[i], true
}

// NamesInk tells whether the files of some format alone have such a name.
func NamesInk(name string) bool {
	f, known := FormatOf(name)
	return known && slices.Contains(f.Endings, endingOf(name))
}

// endingOf is that of a file's name without Zipped.
func endingOf(name string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(name), Zipped))
}

// Endings are those that a file of ink may have when a person names it.
func Endings() (all []string) {
	for _, f := range formats {
		all = slices.Concat(all, f.Endings, f.Shared)
	}
	return append(all, Zipped)
}

// Read reads an ink file in any of the Formats, told apart by its content,
// plain or gzip'ed. UTF-16 is read where the file begins with its mark.
func Read(r io.Reader) ([]Labelled, error) { return collect(r, Each) }

// collect gives all samples of which each tells, none with an error.
func collect(r io.Reader, each func(io.Reader, func(Labelled) error) error) (all []Labelled, err error) {
	if err = each(r, func(s Labelled) error { all = append(all, s); return nil }); err != nil {
		return nil, err
	}
	return all, nil
}

// Each is Read that hands over one sample after the other, those of JSON Lines as soon as their
// line is read: then the memory it takes does not grow with the file. An error of f ends it.
func Each(r io.Reader, f func(Labelled) error) error {
	b, err := textOf(r)
	if err != nil {
		return err
	}
	head, err := b.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	head = bytes.TrimSpace(head)
	if len(head) == 0 {
		return errNothing
	}
	at := slices.IndexFunc(formats, func(f Format) bool { return bytes.HasPrefix(head, []byte(f.Prefix)) })
	if at < 0 {
		return message.Errorf("the file holds no ink that can be read; expected %s", Names())
	}
	return formats[at].Read(b, f)
}

var errNothing = message.Errorf("the file is empty; choose one that holds ink")

// text is what a file holds, and the memory that its samples may take.
type text struct {
	*bufio.Reader
	memory int
}

// textOf unzips a file and makes UTF-8 without a mark of it, from UTF-16 where it begins with the mark of that.
func textOf(r io.Reader) (text, error) {
	b, err := files.Unzip(r)
	if err != nil {
		return text{}, err
	}
	return text{bufio.NewReaderSize(transform.NewReader(b, unicode.BOMOverride(transform.Nop)), 1<<16), Memory(r)}, nil
}

// Begins tells whether a file may hold ink that begins like this, plain or gzip'ed.
func Begins(head []byte) bool {
	for _, mark := range []string{"\x1f", "\xff\xfe", "\xfe\xff"} { // of gzip and of UTF-16
		if bytes.HasPrefix(head, []byte(mark)) {
			return true
		}
	}
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	return len(head) == 0 || slices.ContainsFunc(formats, func(f Format) bool { return bytes.HasPrefix(head, []byte(f.Prefix)) })
}

// What a reader takes from one file. A small file can unzip to a thousand times its size, so
// all of it is checked while reading.
const (
	// maxText is how much text, unzipped: ten times the largest set we know.
	maxText = 256 << 20
	// maxLine is the longest line, or part of an XML file without a tag.
	maxLine = 16 << 20
	// maxNames is the longest list of columns or levels of a UNIPEN file, maxChannels what an
	// InkML point may have.
	maxNames    = 4096
	maxChannels = 64
	// MaxLabel is the longest label of a class, in bytes; that of a line of writing in a file may be longer.
	MaxLabel = 64
	// MaxPoints bounds one drawing, its points as its strokes: far above any.
	MaxPoints = 1 << 20
	// MaxPixels bounds the pictures that are read: a photograph of 64 megapixels.
	MaxPixels = 64 << 20
	// MaxMemory bounds what the samples of a small file take, in bytes as counted here. The garbage
	// collector lets a process grow to twice that.
	MaxMemory = 240 << 20
	// unzipping is how many times its own size the samples of a file may take where that is more: gzip'ed images
	// of 28x28 take twenty times, gzip'ed words seventeen.
	unzipping = 32
	// SampleMemory is a sample with the image that will be drawn of it.
	SampleMemory = 4*Side*Side + 64

	pointMemory = 32
	itemMemory  = 192 // a stroke, an attribute, a name
)

// budget is the memory that the samples of a file may still take.
type budget struct{ left int }

// newBudget is that of a text that textOf gave, or of a small one.
func newBudget(r io.Reader) *budget {
	t, _ := r.(text)
	return &budget{max(t.memory, MaxMemory)}
}

// Memory is how many bytes the samples of the file that r reads may take.
func Memory(r io.Reader) int { return max(MaxMemory, unzipping*files.Size(r)) }

func (b *budget) spend(bytes int) error {
	if b.left -= bytes; b.left < 0 {
		return message.Errorf("passes what a file of this size may hold; split it")
	}
	return nil
}

// item is anything that has a text: an attribute, a name, a part of a segment.
func (b *budget) item(text string) error { return b.spend(itemMemory + len(text)) }

// stroke is one of some length.
func (b *budget) stroke(points int) error { return b.spend(itemMemory + pointMemory*points) }

// extend appends to a stroke, which is copied while it grows.
func (b *budget) extend(s *Stroke, rest ...Point) error {
	if *s = append(*s, rest...); len(*s) > MaxPoints {
		return errTooMany
	}
	return b.spend(2 * pointMemory * len(rest))
}

var errTooMany = message.Errorf("has more than %d points or strokes in one drawing; this is no handwriting", MaxPoints)

// sample is one with its strokes and texts.
func (b *budget) sample(s *Labelled) error {
	bytes := SampleMemory + len(s.Label) + len(s.Writer) + itemMemory*len(s.Ink) + pointMemory*s.Ink.Points()
	for name, value := range s.Attributes {
		bytes += itemMemory + len(name) + len(value)
	}
	return b.spend(bytes)
}

// columns says how much is known of the points: 2 for x and y, 3 with time, 4 with
// pressure.
func (k Ink) columns() int {
	n := 2
	for _, s := range k {
		for _, p := range s {
			if p.Pressure != 0 {
				return 4
			}
			if p.T != 0 {
				n = 3
			}
		}
	}
	return n
}

// append writes so many numbers of the point, with something between them, so that reading gives the same float64. Minus zero becomes zero.
func (p Point) append(b []byte, columns int, between byte) []byte {
	all := [4]float64{p.X, p.Y, p.T, p.Pressure}
	for i, v := range all[:columns] {
		if i > 0 {
			b = append(b, between)
		}
		b = strconv.AppendFloat(b, v+0, 'f', -1, 64)
	}
	return b
}

// each calls write with every sample, cleaned, and then writes out what is buffered. A sample without ink is an error,
// as no format has a place for it.
func each(out *bufio.Writer, samples []Labelled, write func(Labelled) error) error {
	for i, s := range samples {
		if s.Ink = s.Ink.Clean(); len(s.Ink) == 0 {
			return message.Errorf("sample %d, labelled %.80q, has no ink; remove it", i+1, s.Label)
		}
		if err := write(s); err != nil {
			return message.Errorf("sample %d, labelled %.80q: %w", i+1, s.Label, err)
		}
	}
	return out.Flush()
}

// lines are those of a text, read within bounds.
type lines struct {
	number int   // of the line just read, from 1
	err    error // that ended the reading
}

// of gives the lines that are not blank, without white space around them; each is valid until the next.
func (l *lines) of(r io.Reader) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s := bufio.NewScanner(r)
		s.Buffer(make([]byte, 1<<16), maxLine)
		s.Split(splitLines(s))
		for read := 0; s.Scan(); {
			l.number++
			text := s.Bytes()
			if read += len(text) + 1; read > maxText {
				l.err = l.fail(message.Errorf("passes %d bytes of text, the most a file may hold; split it", maxText))
				return
			}
			if text = bytes.TrimSpace(text); len(text) > 0 && !yield(text) {
				return
			}
		}
		switch l.err = s.Err(); {
		case errors.Is(l.err, bufio.ErrTooLong):
			l.number++
			l.err = l.fail(message.Errorf("is longer than %d bytes; this is no ink file, or it lost its line ends", maxLine))
		case l.err != nil:
			l.err = message.Errorf("reading stopped after line %d: %w", l.number, l.err)
		}
	}
}

// fail makes an error that begins with the line's number.
func (l *lines) fail(err error) error { return message.Errorf("line %d %w", l.number, err) }

// splitLines makes a bufio.SplitFunc for lines that end in LF, CR LF or, as on old Macintoshes, CR alone. What stands before an error
// of the reader is no line.
func splitLines(s *bufio.Scanner) bufio.SplitFunc {
	searched := 0 // bytes that hold no end of the line: a long one comes in many parts
	return func(data []byte, atEOF bool) (advance int, line []byte, err error) {
		end := bytes.IndexAny(data[searched:], "\r\n") + searched
		if end < searched {
			if atEOF && len(data) > 0 && s.Err() == nil {
				searched = 0
				return len(data), data, nil
			}
			searched = len(data)
			return 0, nil, nil
		}
		advance, line = end+1, data[:end]
		if data[end] == '\r' {
			if advance == len(data) && !atEOF { // is it a CR LF?
				searched = end
				return 0, nil, nil
			}
			if bytes.HasPrefix(data[advance:], []byte("\n")) {
				advance++
			}
		}
		searched = 0
		return advance, line, nil
	}
}
