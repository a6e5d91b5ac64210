package ink

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ReadInkML reads W3C InkML (Recommendation of 20 September 2011), plain or gzip'ed. Each
// innermost traceGroup is a sample, with its own traces and those its traceViews name; a
// file without groups is one sample. Annotations of the types label (or truth), writer and
// context say what they say, the writer for all groups within; others become attributes.
//
// Channels X, Y, T (in ms, or s by its units) and F (over its max) are read, any other is
// passed over; values may be absolute or first or second differences. y is taken as
// growing downward.
func ReadInkML(r io.Reader) ([]Labelled, error) {
	b, err := Unzip(r)
	if err != nil {
		return nil, err
	}
	text := &countingReader{r: b, left: maxText}
	decoder := xml.NewDecoder(text)
	m := inkmlReader{
		traces:  map[string]Stroke{},
		formats: map[string]traceFormat{},
	}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		line, _ := decoder.InputPos()
		if err == nil {
			err = m.token(token)
		} else if broken := (*xml.SyntaxError)(nil); errors.As(err, &broken) {
			line, err = broken.Line, fmt.Errorf("is no XML: %s", broken.Msg)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d %w", line, err)
		}
	}
	return m.finish()
}

// countingReader ends with an error when more than left bytes are read.
type countingReader struct {
	r    io.Reader
	left int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.left -= n; c.left < 0 {
		return 0, fmt.Errorf("passes %d bytes of text, the most a file may hold; split it", maxText)
	}
	return n, err
}

// inkGroup is an element that may hold traces: the file itself or a traceGroup.
type inkGroup struct {
	labelled  Labelled
	format    traceFormat
	views     []string
	hasGroups bool
	used      bool // has an annotation, a trace or a view
}

type inkmlReader struct {
	open                []inkGroup // ink and the groups around the current token
	path                []string   // names of the open elements
	text                strings.Builder
	start               xml.StartElement // of the trace or annotation being read
	traces              map[string]Stroke
	formats             map[string]traceFormat // by id, of formats and contexts
	channels            traceFormat            // being read, and the ids it will have
	formatID, contextID string
	done                []inkGroup
}

func (m *inkmlReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if len(m.path) == 0 && t.Name.Local != "ink" {
			return fmt.Errorf("begins with <%s>, so this is no InkML; expected <ink>", t.Name.Local)
		}
		if len(m.path) > 100 {
			return errors.New("nests more than a hundred elements; this is no InkML file of samples")
		}
		m.path = append(m.path, t.Name.Local)
		m.begin(t)
	case xml.CharData:
		if n := len(m.path); n > 0 && (m.path[n-1] == "trace" || m.path[n-1] == "annotation") {
			m.text.Write(t)
		}
	case xml.EndElement:
		m.path = m.path[:len(m.path)-1]
		return m.end(t.Name.Local)
	}
	return nil
}

func (m *inkmlReader) begin(t xml.StartElement) {
	switch t.Name.Local {
	case "ink":
		m.open = append(m.open, inkGroup{format: plainFormat})
	case "traceGroup":
		above := &m.open[len(m.open)-1]
		above.hasGroups = true
		g := inkGroup{format: above.format}
		if f, ok := m.formats[reference(t, "contextRef")]; ok {
			g.format = f
		}
		m.open = append(m.open, g)
	case "trace", "annotation":
		m.start = t.Copy()
		m.text.Reset()
	case "traceView":
		g := &m.open[len(m.open)-1]
		g.used = true
		if id := reference(t, "traceDataRef"); id != "" {
			g.views = append(g.views, id)
		}
	case "traceFormat":
		m.formatID = attribute(t, "id")
		m.channels = nil
	case "channel":
		m.channels = append(m.channels, newChannel(t))
	case "context":
		if f, ok := m.formats[reference(t, "traceFormatRef")]; ok {
			m.formats[attribute(t, "id")] = f
			if !slices.Contains(m.path, "definitions") {
				m.open[len(m.open)-1].format = f
			}
		}
		m.contextID = attribute(t, "id")
	}
}

func (m *inkmlReader) end(name string) error {
	switch name {
	case "annotation":
		m.open[len(m.open)-1].annotate(attribute(m.start, "type"), m.text.String())
	case "trace":
		g := &m.open[len(m.open)-1]
		format := g.format
		if f, ok := m.formats[reference(m.start, "contextRef")]; ok {
			format = f
		}
		s, err := format.parse(m.text.String())
		if err != nil {
			return fmt.Errorf("holds a trace that cannot be read: %w", err)
		}
		if id := attribute(m.start, "id"); id != "" {
			m.traces[id] = s
		}
		g.used = true
		if len(s) > 0 && !slices.Contains(m.path, "definitions") {
			g.labelled.Ink = append(g.labelled.Ink, s)
		}
	case "traceFormat":
		if err := m.channels.check(); err != nil {
			return err
		}
		for _, id := range []string{m.formatID, m.contextID} {
			if id != "" {
				m.formats[id] = m.channels
			}
		}
		if !slices.Contains(m.path, "definitions") {
			m.open[len(m.open)-1].format = m.channels
		}
	case "context":
		m.contextID = ""
	case "traceGroup", "ink":
		last := len(m.open) - 1
		g := m.open[last]
		if g.labelled.Writer == "" && last > 0 {
			g.labelled.Writer = m.writerAbove(last)
		}
		if g.used && !g.hasGroups {
			m.done = append(m.done, g)
		}
		m.open = m.open[:last]
	}
	return nil
}

func (m *inkmlReader) writerAbove(depth int) string {
	for i := depth - 1; i >= 0; i-- {
		if w := m.open[i].labelled.Writer; w != "" {
			return w
		}
	}
	return ""
}

func (g *inkGroup) annotate(kind, text string) {
	g.used = true
	switch kind {
	case "label", "truth":
		g.labelled.Label = text
	case "writer":
		g.labelled.Writer = text
	case "context":
		g.labelled.Context = text == "true"
	default:
		if g.labelled.Attributes == nil {
			g.labelled.Attributes = map[string]string{}
		}
		g.labelled.Attributes[kind] = text
	}
}

// finish looks up the traces that views name and lets time begin at 0.
func (m *inkmlReader) finish() ([]Labelled, error) {
	if m.open == nil {
		return nil, errors.New("the file is empty; choose one that holds ink")
	}
	total := 0
	for _, s := range m.traces {
		total += len(s)
	}
	left := budget{strokes: 4 * (len(m.traces) + 1), points: 4 * (total + 1)}
	out := make([]Labelled, 0, len(m.done))
	for _, g := range m.done {
		for _, id := range g.views {
			s, ok := m.traces[id]
			if !ok {
				return nil, fmt.Errorf("a traceView names the trace %.40q, which the file does not have; get it again", id)
			}
			if left.strokes, left.points = left.strokes-1, left.points-len(s); left.strokes < 0 || left.points < 0 {
				return nil, errors.New("the same traces are used again and again; this is no file of samples")
			}
			g.labelled.Ink = append(g.labelled.Ink, slices.Clone(s))
		}
		g.labelled.Ink.rebase(1)
		out = append(out, g.labelled)
	}
	return out, nil
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// reference is the id that a URI within the file names.
func reference(t xml.StartElement, name string) string {
	return strings.TrimPrefix(attribute(t, name), "#")
}

func newChannel(t xml.StartElement) channel {
	c := channel{name: attribute(t, "name"), scale: 1}
	switch {
	case c.name == "T" && attribute(t, "units") == "s":
		c.scale = 1000
	case c.name == "F":
		if most, err := strconv.ParseFloat(attribute(t, "max"), 64); err == nil && most > 0 {
			c.scale = 1 / most
		}
	}
	return c
}
