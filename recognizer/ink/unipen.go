package ink

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"inkshade/glcompute/message"
)

func init() {
	Register(Format{
		Name: "UNIPEN", MIME: "application/x-unipen", Endings: []string{".unipen", ".unp", ".upn"}, Shared: []string{".dat", ".txt"}, Prefix: ".",
		Read: eachUNIPEN, Write: WriteUNIPEN,
	})
}

// eachUNIPEN reads ink in the UNIPEN format (Guyon et al., "UNIPEN project of on-line data
// exchange and recognizer benchmarks", 1994). Every .SEGMENT is a
// sample; without any, all strokes are one sample that has no label. Where segments of
// several levels of .HIERARCHY are there, those of the lowest are read.
//
// y, which grows upward in UNIPEN, is negated. A segment names its .PEN_DOWN blocks,
// counted from 0 over the file, as 12, 12-13, 3,5-6, or with points as 12:0-13:40. Times
// are the T column of .COORD or come from .POINTS_PER_SECOND and .DT; pressure is the P
// column, divided by the largest of the file when that passes 1. The writer is .WRITER_ID,
// or the second word of a .COMMENT "label writer number", as the pendigits set has it.
// Capitals and small letters are one in keywords, columns and levels. .INCLUDE is not followed. An error names the line and says what is wrong with it.
func eachUNIPEN(r io.Reader, f func(Labelled) error) error {
	u := unipenReader{columns: []string{"X", "Y"}, places: []int{1, 2}, left: newBudget(r)}
	for text := range u.lines.of(r) {
		if err := u.line(text); err != nil {
			return u.lines.fail(err)
		}
	}
	if u.lines.err == nil && u.mode == "" {
		return errNothing
	}
	if u.lines.err != nil {
		return u.lines.err
	}
	return u.samples(f)
}

type unipenReader struct {
	lines     lines
	mode      string // the keyword whose arguments are being read
	columns   []string
	places    []int   // of the columns in the values of a point: X, Y, T, P from 1 on, 0 of any other
	perSecond float64 // points; 0 when not stated
	clock     float64 // milliseconds, while perSecond is known
	writer    string
	levels    []string // of .HIERARCHY, the lowest last
	included  string   // by the last .INCLUDE
	segments  []segment
	left      *budget
	strokes   []Stroke
}

func (u *unipenReader) line(text []byte) error {
	if text[0] == '.' && (len(text) == 1 || text[1] < '0' || text[1] > '9') {
		end := bytes.IndexAny(text, " \t")
		if end < 0 {
			end = len(text)
		}
		u.mode = strings.ToUpper(string(text[:end]))
		return u.keyword(string(bytes.TrimSpace(text[end:])))
	}
	switch u.mode {
	case "":
		return message.Errorf("is not UNIPEN: the file should begin with a keyword such as .VERSION or .SEGMENT")
	case ".PEN_DOWN", ".PEN_UP":
		return u.points(text)
	}
	return nil
}

func (u *unipenReader) keyword(rest string) error {
	if (u.mode == ".COORD" || u.mode == ".HIERARCHY") && len(rest) > maxNames {
		return message.Errorf("names columns or levels in %d bytes, more than %d; this is no file of samples", len(rest), maxNames)
	}
	switch u.mode {
	case ".COORD":
		u.columns, u.places = strings.Fields(strings.ToUpper(rest)), nil
		for _, c := range u.columns {
			u.places = append(u.places, 1+slices.Index([]string{"X", "Y", "T", "P"}, c))
		}
		if !slices.Contains(u.columns, "X") || !slices.Contains(u.columns, "Y") {
			return message.Errorf("names no X and Y, without which there is no drawing; expected .COORD X Y")
		}
	case ".POINTS_PER_SECOND":
		v, err := strconv.ParseFloat(rest, 64)
		if err != nil || !(v >= 0 && v <= 1e6) {
			return message.Errorf("gives %.40q points per second; expected a number", rest)
		}
		u.perSecond = v
	case ".DT":
		if v, err := strconv.ParseFloat(rest, 64); err == nil && v > 0 && v < 1e9 {
			u.clock += v
		}
	case ".HIERARCHY":
		u.levels = strings.Fields(rest)
	case ".INCLUDE":
		u.included = rest
	case ".WRITER_ID":
		u.writer = rest
		return u.left.item(rest)
	case ".SEGMENT":
		return u.segment(rest)
	case ".COMMENT":
		if n := len(u.segments); n > 0 {
			return u.segments[n-1].comment(rest, u.left)
		}
	case ".PEN_DOWN":
		u.strokes = append(u.strokes, nil)
		if err := u.left.stroke(0); err != nil {
			return err
		}
		return u.points([]byte(rest))
	case ".PEN_UP":
		return u.points([]byte(rest))
	}
	return nil
}

// points reads a line of numbers, one or more points.
func (u *unipenReader) points(text []byte) error {
	count, values := 0, [5]float64{}
	for word := range bytes.FieldsSeq(text) {
		v, err := strconv.ParseFloat(string(word), 64)
		if err != nil || v-v != 0 {
			return message.Errorf("holds %.40q where a number should be", word)
		}
		values[u.places[count%len(u.places)]] = v
		if count++; count%len(u.columns) > 0 {
			continue
		}
		p := Point{values[1], 0 - values[2], values[3], max(0, values[4])}
		if u.perSecond > 0 && !slices.Contains(u.places, 3) {
			p.T = u.clock
			u.clock += 1000 / u.perSecond
		}
		if u.mode == ".PEN_DOWN" {
			if err := u.left.extend(&u.strokes[len(u.strokes)-1], p); err != nil {
				return err
			}
		}
	}
	if count%len(u.columns) > 0 {
		return message.Errorf("has %d numbers where a point has %d; expected %.200s", count, len(u.columns), strings.Join(u.columns, " "))
	}
	return nil
}

// samples cuts the segments of the lowest level out of the strokes.
func (u *unipenReader) samples(f func(Labelled) error) error {
	if len(u.segments) == 0 && len(u.strokes) > 0 {
		u.segments = []segment{{parts: []part{{last: len(u.strokes) - 1, lastPoint: -1}}, Labelled: Labelled{Writer: u.writer}}}
	}
	strongest := 1.0
	for _, s := range u.strokes {
		for _, p := range s {
			strongest = max(strongest, p.Pressure)
		}
	}
	lowest := -1
	for _, s := range u.segments {
		lowest = max(lowest, u.depth(s.level))
	}
	for _, s := range u.segments {
		if u.depth(s.level) != lowest {
			continue
		}
		err := s.cut(u.strokes, u.left)
		switch {
		case err != nil && u.included != "":
			return message.Errorf("line %d %w; the ink may be in %.40s, whose .INCLUDE is not followed: copy it into its place", s.line, err, u.included)
		case err != nil:
			return message.Errorf("line %d %w", s.line, err)
		}
		s.Ink.rebase(strongest)
		if err := f(s.Labelled); err != nil {
			return err
		}
	}
	return nil
}

// depth is the level's place in .HIERARCHY, -1 for one that is not named there.
func (u *unipenReader) depth(level string) int {
	return slices.IndexFunc(u.levels, func(l string) bool { return strings.EqualFold(l, level) })
}

// rebase lets the time begin at the first point and divides pressure by the strongest.
func (k Ink) rebase(strongest float64) {
	first, known := 0.0, false
	for _, s := range k {
		for i := range s {
			if !known {
				first, known = s[i].T, true
			}
			s[i].T -= first
			s[i].Pressure /= strongest
		}
	}
}

// WriteUNIPEN writes what Read reads: a .SEGMENT SAMPLE for each, T and P columns where they are known, whether it was cut from running text and
// its attributes as .COMMENT lines. Every number comes back the same, but time begins at
// the sample's first point.
func WriteUNIPEN(w io.Writer, samples []Labelled) error {
	out := bufio.NewWriter(w)
	columns := 2
	for _, s := range samples {
		columns = max(columns, s.Ink.Clean().columns())
	}
	fmt.Fprintf(out, ".VERSION 1.0\n.COORD %s\n.HIERARCHY SAMPLE\n", [...]string{"X Y", "X Y T", "X Y T P"}[columns-2])
	writer, stroke := "", 0
	return each(out, samples, func(s Labelled) error {
		if s.Writer != writer && plainWord(s.Writer) {
			fmt.Fprintf(out, ".WRITER_ID %s\n", s.Writer)
			writer = s.Writer
		}
		fmt.Fprintf(out, ".SEGMENT SAMPLE %d-%d ? %s\n", stroke, stroke+len(s.Ink)-1, strconv.Quote(s.Label))
		stroke += len(s.Ink)
		if s.Writer != writer {
			fmt.Fprintf(out, ".COMMENT writer %s\n", strconv.Quote(s.Writer))
		}
		if s.Context {
			fmt.Fprintln(out, ".COMMENT context true")
		}
		for _, name := range slices.Sorted(maps.Keys(s.Attributes)) {
			fmt.Fprintf(out, ".COMMENT attribute %s %s\n", strconv.Quote(name), strconv.Quote(s.Attributes[name]))
		}
		var b []byte
		for _, stroke := range s.Ink {
			b = append(b[:0], ".PEN_DOWN\n"...)
			for _, p := range stroke {
				p.Y = 0 - p.Y
				b = append(p.append(b, columns, ' '), '\n')
			}
			out.Write(append(b, ".PEN_UP\n"...))
		}
		return nil
	})
}

// plainWord tells whether text comes back from the rest of a line as it was.
func plainWord(text string) bool {
	return strconv.Quote(text) == `"`+text+`"` && strings.TrimSpace(text) == text
}
