package ink

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"inkshade/glcompute/message"
)

func init() {
	Register(Format{
		Name: "InkML", MIME: "application/inkml+xml", Endings: []string{".inkml"}, Shared: []string{".xml"}, Prefix: "<",
		Read: eachInkML, Write: WriteInkML,
	})
}

// eachInkML reads W3C InkML (Recommendation of 20 September 2011). Each
// innermost traceGroup is a sample, with its own traces and those its traceViews name; a
// file without groups is one sample. Annotations of the types label (or truth), writer and
// context say what they say, the writer for all groups within; others become attributes.
//
// Channels X, Y, T (in ms, or s by its units) and F (over its max) are read, any other is
// passed over; values may be absolute or first or second differences. y grows downward
// unless its orientation is -ve. Traces of a pen that is up, and groups and traces within
// definitions, are no ink by themselves. The from and to of a traceView are not heeded.
func eachInkML(r io.Reader, f func(Labelled) error) error {
	text := &boundedReader{r: r, left: maxText, token: maxLine}
	m := inkmlReader{
		Decoder: xml.NewDecoder(text),
		text:    text,
		left:    newBudget(r),
		traces:  map[string][]Stroke{},
		formats: map[string]traceFormat{},
	}
	var unknown error
	m.CharsetReader = func(encoding string, r io.Reader) (io.Reader, error) {
		switch strings.ToLower(encoding) {
		case "utf-16": // has been decoded by its mark
			return r, nil
		case "us-ascii", "iso-8859-1", "windows-1252":
			return charmap.Windows1252.NewDecoder().Reader(r), nil
		}
		unknown = message.Errorf("the encoding %.40q is not understood; save the file as UTF-8", encoding)
		return nil, unknown
	}
	err := m.content(nil, 0)
	line, _ := m.InputPos()
	if unknown != nil {
		return unknown
	} else if broken, is := errors.AsType[*xml.SyntaxError](err); is {
		line, err = broken.Line, message.Errorf("is no XML: %.200s", broken.Msg)
	}
	if !errors.Is(err, io.EOF) {
		return message.Errorf("line %d %w", line, err)
	}
	if !m.begun {
		return errNothing
	}
	return m.finish(f)
}

// boundedReader ends with an error when more than left bytes are read, or token bytes
// without one.
type boundedReader struct {
	r           io.Reader
	left, token int
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.left, b.token = b.left-n, b.token-n
	switch {
	case b.left < 0:
		return 0, message.Errorf("passes %d bytes of text, the most a file may hold; split it", maxText)
	case b.token < 0:
		return 0, errTooLong
	}
	return n, err
}

var errTooLong = message.Errorf("has more than %d bytes without a tag; this is no InkML file of samples", maxLine)

// inkGroup is an element that may hold traces: the file itself or a traceGroup.
type inkGroup struct {
	Labelled
	above     *inkGroup
	defining  int    // of the reader, where it begins
	last      string // id of the last trace
	format    traceFormat
	views     []string
	hasGroups bool
	used      bool // has an annotation, a trace or a view
}

type inkmlReader struct {
	*xml.Decoder
	text     *boundedReader
	begun    bool                   // there is an element
	defining int                    // elements around that only define what others may name
	traces   map[string][]Stroke    // by id, of traces and groups
	formats  map[string]traceFormat // by id, of formats, sources and contexts
	channels traceFormat            // being read
	names    []string               // ids of the formats, sources and contexts around
	done     []*inkGroup
	left     *budget
}

// content reads the elements that lie in one of a group, up to its end.
func (m *inkmlReader) content(g *inkGroup, depth int) error {
	for {
		token, err := m.Token()
		if m.text.token = maxLine; err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if g == nil && t.Name.Local != "ink" {
				return message.Errorf("begins with <%.40s>, so this is no InkML; expected <ink>", t.Name.Local)
			}
			if depth > 100 {
				return message.Errorf("nests more than a hundred elements; this is no InkML file of samples")
			}
			m.begun = true
			if err := m.element(t, g, depth+1); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

func (m *inkmlReader) element(t xml.StartElement, g *inkGroup, depth int) error {
	switch t.Name.Local {
	case "ink":
		return m.group(t, &inkGroup{above: g, defining: m.defining, format: plainFormat}, depth)
	case "traceGroup":
		g.hasGroups = g.hasGroups || m.defining == 0
		return m.group(t, &inkGroup{above: g, defining: m.defining, format: m.formatOf(t, g.format)}, depth)
	case "definitions":
		m.defining++
		defer func() { m.defining-- }()
	case "trace", "annotation":
		var text string
		if err := m.DecodeElement(&text, &t); err != nil {
			return err
		}
		g.used = true
		if t.Name.Local == "trace" {
			return m.trace(t, g, text)
		}
		kind := attribute(t, "type")
		g.annotate(kind, text)
		return m.left.item(kind + text)
	case "traceView":
		g.used = true
		if of := reference(t, "traceDataRef"); of != "" {
			g.views = append(g.views, of)
			if err := m.left.item(of); err != nil {
				return err
			}
		}
	case "channel":
		if m.channels = append(m.channels, newChannel(t)); len(m.channels) > maxChannels {
			return message.Errorf("names more than %d channels; this is no InkML file of samples", maxChannels)
		}
	case "traceFormat", "inkSource", "context":
		return m.naming(t, g, depth)
	}
	return m.content(g, depth)
}

// group reads the file or a traceGroup.
func (m *inkmlReader) group(t xml.StartElement, g *inkGroup, depth int) error {
	id := attribute(t, "id")
	err := m.left.spend(SampleMemory + len(id))
	if err == nil {
		err = m.content(g, depth)
	}
	if err != nil {
		return err
	}
	for above := g.above; g.Writer == "" && above != nil; above = above.above {
		g.Writer = above.Writer
	}
	if g.used && !g.hasGroups && m.defining == 0 {
		m.done = append(m.done, g)
	}
	if id != "" {
		m.traces[id] = g.Ink
	}
	return nil
}

// naming reads a traceFormat, or an inkSource or context, whose id names the formats within or the one that it refers to.
func (m *inkmlReader) naming(t xml.StartElement, g *inkGroup, depth int) error {
	around := len(m.names)
	defer func() { m.names = m.names[:around] }()
	m.names = append(m.names, attribute(t, "id"))
	if f := m.formatOf(t, nil); f != nil {
		if err := m.name(f, m.names[around:], g); err != nil {
			return err
		}
	}
	if t.Name.Local != "traceFormat" {
		return m.content(g, depth)
	}
	m.channels = nil
	if err := m.content(g, depth); err != nil {
		return err
	}
	if !m.channels.has("X") || !m.channels.has("Y") {
		return message.Errorf("ends a traceFormat without the channels X and Y, so there is no drawing")
	}
	return m.name(m.channels, m.names, g)
}

// name gives a format ids, and has the traces of the group use it unless it is only defined.
func (m *inkmlReader) name(f traceFormat, ids []string, g *inkGroup) error {
	if m.defining == 0 {
		g.format = f
	}
	for _, id := range ids {
		if id == "" {
			continue
		}
		m.formats[id] = f
		if err := m.left.item(id); err != nil {
			return err
		}
	}
	return nil
}

// formatOf is the format that an element refers to, or else another.
func (m *inkmlReader) formatOf(t xml.StartElement, otherwise traceFormat) traceFormat {
	for _, name := range []string{"traceFormatRef", "inkSourceRef", "contextRef"} {
		if f, ok := m.formats[reference(t, name)]; ok {
			return f
		}
	}
	return otherwise
}

// trace gives a group a trace that was read: a stroke, the rest of the last one, or,
// of a pen that is up, none.
func (m *inkmlReader) trace(t xml.StartElement, g *inkGroup, text string) error {
	s, err := m.formatOf(t, g.format).parse(text)
	if err != nil {
		return message.Errorf("holds a trace that cannot be read: %w", err)
	}
	id, rest := attribute(t, "id"), attribute(t, "continuation")
	if err := m.left.spend(itemMemory + len(id) + pointMemory*len(s)); err != nil {
		return err
	}
	if kind := attribute(t, "type"); len(s) == 0 || kind == "penUp" || kind == "indeterminate" {
		if id != "" {
			m.traces[id] = nil
		}
		return nil
	}
	if id != "" {
		m.traces[id] = []Stroke{s}
	}
	goesOn := (rest == "middle" || rest == "end") && g.last != "" && g.last == reference(t, "priorRef")
	g.last = id
	switch n := len(g.Ink); {
	case m.defining > g.defining:
	case goesOn && n > 0:
		return m.left.extend(&g.Ink[n-1], s...)
	default:
		g.Ink = append(g.Ink, slices.Clip(s)) // what goes on is not written behind the trace, which others may name
	}
	return nil
}

func (g *inkGroup) annotate(kind, text string) {
	switch kind {
	case "label", "truth":
		g.Label = text
	case "writer":
		g.Writer = text
	case "context":
		g.Context = text == "true"
	default:
		g.set(kind, text)
	}
}

// finish looks up the traces that views name and lets time begin at 0.
func (m *inkmlReader) finish(f func(Labelled) error) error {
	for _, g := range m.done {
		for _, id := range g.views {
			named, ok := m.traces[id]
			if !ok {
				return message.Errorf("a traceView names the trace %.40q, which the file does not have; get it again", id)
			}
			for _, s := range named {
				if err := m.left.stroke(len(s)); err != nil {
					return message.Errorf("the file, whose traces are used again and again, %w", err)
				}
				g.Ink = append(g.Ink, slices.Clone(s))
			}
		}
		g.Ink.rebase(1)
		if err := f(g.Labelled); err != nil {
			return err
		}
	}
	return nil
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
