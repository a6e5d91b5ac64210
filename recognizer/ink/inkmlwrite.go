package ink

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"inkshade/glcompute/message"
)

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

// WriteInkML writes what Read reads: a traceGroup for each sample, its label, writer
// and attributes as annotations. Every number comes back the same, but time begins at the
// sample's first point. Text that XML cannot hold is an error.
func WriteInkML(w io.Writer, samples []Labelled) error {
	out := bufio.NewWriter(w)
	out.WriteString(inkmlHead)
	err := each(out, samples, func(s Labelled) error {
		notes := [][2]string{{"label", s.Label}}
		if s.Writer != "" {
			notes = append(notes, [2]string{"writer", s.Writer})
		}
		if s.Context {
			notes = append(notes, [2]string{"context", "true"})
		}
		for _, name := range slices.Sorted(maps.Keys(s.Attributes)) {
			if slices.Contains([]string{"label", "truth", "writer", "context"}, name) {
				return message.Errorf("an attribute cannot be called %q, which InkML needs for its own; rename it", name)
			}
			notes = append(notes, [2]string{name, s.Attributes[name]})
		}
		columns := s.Ink.columns()
		fmt.Fprintf(out, "<traceGroup contextRef=\"#c%d\">\n", columns)
		for _, note := range notes {
			var escaped [2]bytes.Buffer
			for i, text := range note {
				if !validXML(text) {
					return message.Errorf("the text %q holds characters that XML does not allow; rename it", text)
				}
				xml.EscapeText(&escaped[i], []byte(text))
			}
			fmt.Fprintf(out, "<annotation type=\"%s\">%s</annotation>\n", &escaped[0], &escaped[1])
		}
		var b []byte
		for _, stroke := range s.Ink {
			b = append(b[:0], "<trace>"...)
			for i, p := range stroke {
				if i > 0 {
					b = append(b, ", "...)
				}
				b = p.append(b, columns, ' ')
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

func validXML(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
	})
}
