package ink

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

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

func (p Point) values() [4]float64 { return [4]float64{p.X, p.Y, p.T, p.Pressure} }

// appendNumber writes so that reading gives the same float64. Minus zero becomes zero.
func appendNumber(b []byte, v float64) []byte {
	return strconv.AppendFloat(b, v+0, 'f', -1, 64)
}

// each calls write with every sample, cleaned, and then writes out what is buffered. A sample without ink is an error,
// as no format has a place for it.
func each(out *bufio.Writer, samples []Labelled, write func(Labelled) error) error {
	for i, s := range samples {
		if s.Ink = s.Ink.Clean(); len(s.Ink) == 0 {
			return fmt.Errorf("sample %d, labelled %q, has no ink; remove it", i+1, s.Label)
		}
		if err := write(s); err != nil {
			return fmt.Errorf("sample %d, labelled %q: %w", i+1, s.Label, err)
		}
	}
	return out.Flush()
}

// WriteJSONLines writes what ReadJSONLines reads; every number comes back the same. Labels
// that are no valid UTF-8 are an error.
func WriteJSONLines(w io.Writer, samples []Labelled) error {
	out := bufio.NewWriter(w)
	return each(out, samples, func(s Labelled) error {
		if !utf8.ValidString(s.Label) || !utf8.ValidString(s.Writer) {
			return fmt.Errorf("the label or writer %q is no valid UTF-8; rename it", s.Label+s.Writer)
		}
		line, err := json.Marshal(jsonSample{
			Label: s.Label, Writer: s.Writer, Context: s.Context, Attributes: s.Attributes,
			Strokes: appendJSON(nil, s.Ink),
		})
		if err != nil {
			return err
		}
		_, err = out.Write(append(line, '\n'))
		return err
	})
}

func appendJSON(b []byte, k Ink) []byte {
	columns := k.columns()
	b = append(b, '[')
	for i, s := range k {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		for j, p := range s {
			if j > 0 {
				b = append(b, ',')
			}
			for c, v := range p.values() {
				if c == columns {
					break
				}
				b = appendNumber(append(b, "[,,,"[c]), v)
			}
			b = append(b, ']')
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

// WriteUNIPEN writes what ReadUNIPEN reads: a .SEGMENT SAMPLE for each, T and P columns where they are known, whether it was cut from running text and
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
				values := p.values()
				for c := range columns {
					b = append(appendNumber(b, values[c]), ' ')
				}
				b[len(b)-1] = '\n'
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

const inkmlHead = `<?xml version="1.0" encoding="UTF-8"?>
<ink xmlns="http://www.w3.org/2003/InkML">
<definitions>
<traceFormat xml:id="f2"><channel name="X" type="decimal"/><channel name="Y" type="decimal"/></traceFormat>
<traceFormat xml:id="f3"><channel name="X" type="decimal"/><channel name="Y" type="decimal"/><channel name="T" type="decimal" units="ms"/></traceFormat>
<traceFormat xml:id="f4"><channel name="X" type="decimal"/><channel name="Y" type="decimal"/><channel name="T" type="decimal" units="ms"/><channel name="F" type="decimal" max="1"/></traceFormat>
<context xml:id="c2" traceFormatRef="#f2"/>
<context xml:id="c3" traceFormatRef="#f3"/>
<context xml:id="c4" traceFormatRef="#f4"/>
</definitions>
`

// WriteInkML writes what ReadInkML reads: a traceGroup for each sample, its label, writer
// and attributes as annotations. Every number comes back the same, but time begins at the
// sample's first point. Text that XML cannot hold is an error.
func WriteInkML(w io.Writer, samples []Labelled) error {
	out := bufio.NewWriter(w)
	out.WriteString(inkmlHead)
	annotate := func(kind, text string) error {
		for _, part := range []string{kind, text} {
			if !validXML(part) {
				return fmt.Errorf("the text %q holds characters that XML does not allow; rename it", part)
			}
		}
		out.WriteString(`<annotation type="`)
		xml.EscapeText(out, []byte(kind))
		out.WriteString(`">`)
		xml.EscapeText(out, []byte(text))
		_, err := out.WriteString("</annotation>\n")
		return err
	}
	err := each(out, samples, func(s Labelled) error {
		columns := s.Ink.columns()
		fmt.Fprintf(out, "<traceGroup contextRef=\"#c%d\">\n", columns)
		if err := annotate("label", s.Label); err != nil {
			return err
		}
		if s.Writer != "" {
			if err := annotate("writer", s.Writer); err != nil {
				return err
			}
		}
		if s.Context {
			annotate("context", "true")
		}
		for _, name := range slices.Sorted(maps.Keys(s.Attributes)) {
			switch name {
			case "label", "truth", "writer", "context":
				return fmt.Errorf("an attribute cannot be called %q, which InkML needs for its own; rename it", name)
			}
			if err := annotate(name, s.Attributes[name]); err != nil {
				return err
			}
		}
		var b []byte
		for _, stroke := range s.Ink {
			b = append(b[:0], "<trace>"...)
			for i, p := range stroke {
				if i > 0 {
					b = append(b, ", "...)
				}
				values := p.values()
				for c := range columns {
					b = append(appendNumber(b, values[c]), ' ')
				}
				b = b[:len(b)-1]
			}
			out.Write(append(b, "</trace>\n"...))
		}
		_, err := out.WriteString("</traceGroup>\n")
		return err
	})
	if err == nil {
		_, err = io.WriteString(w, "</ink>\n")
	}
	return err
}

// validXML tells whether XML 1.0 can hold the text.
func validXML(text string) bool {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return false
			}
		}
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return false
		}
	}
	return true
}
