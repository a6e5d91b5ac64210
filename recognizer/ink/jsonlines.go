package ink

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"inkshade/glcompute/message"
)

func init() {
	Register(Format{
		Name: "JSON Lines", Endings: []string{".jsonl", ".ndjson"}, Shared: []string{".json"}, Prefix: "{",
		Read: eachJSONLine, Write: WriteJSONLines,
	})
}

// jsonSample is one line of a JSON Lines file. A point is [x, y], [x, y, t] or
// [x, y, t, pressure].
type jsonSample struct {
	Label      string            `json:"label,omitempty"`
	Writer     string            `json:"writer,omitempty"`
	Context    bool              `json:"context,omitempty"`
	Attributes map[string]string `json:"attributes,omitempty"`
	Style      string            `json:"style,omitempty"`
	Strokes    json.RawMessage   `json:"strokes"`
}

// ReadJSONLines reads ink with one JSON object a line, plain or gzip'ed:
//
//	{"label":"7","writer":"w07","strokes":[[[x,y],[x,y,t],[x,y,t,pressure]],[[x,y]]]}
//
// y grows downward, t is in milliseconds. "context", true for a character cut out of
// running text, and "attributes", an object of strings, may be absent, as label and writer
// may; "style", such as PRINTED or CURSIVE, is an attribute too. Other keys are left alone, and so are blank lines. An error names the line and says
// what is wrong with it.
func ReadJSONLines(r io.Reader) ([]Labelled, error) { return collect(r, eachJSONLine) }

// Fits fails where a file has more samples, one a line, than a file may hold; it looks at as many lines and no further.
func Fits(r io.Reader) error {
	l, err := newLines(r)
	if err != nil {
		return err
	}
	left := newBudget()
	for {
		text, ok := l.next()
		if !ok || l.number == 1 && !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
			return nil // what else is wrong its reader says
		}
		if err := left.spend(SampleMemory * min(len(bytes.TrimSpace(text)), 1)); err != nil {
			return l.fail("%w", err)
		}
	}
}

func eachJSONLine(r io.Reader, f func(Labelled) error) error {
	l, err := newLines(r)
	if err != nil {
		return err
	}
	var points pointParser
	left := newBudget()
	for {
		text, ok := l.next()
		if !ok {
			return l.err
		}
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			continue
		}
		s, err := parseSample(text, &points)
		if err == nil {
			err = left.sample(&s)
		}
		if err != nil {
			return l.fail("%w", err)
		}
		if err := f(s); err != nil {
			return err
		}
	}
}

func parseSample(text []byte, points *pointParser) (Labelled, error) {
	if text[0] != '{' {
		return Labelled{}, message.Errorf(`is no JSON object; expected {"label":...,"strokes":[[[x,y],...],...]}`)
	}
	var j jsonSample
	err := json.Unmarshal(text, &j)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return Labelled{}, message.Errorf("is not the JSON of a sample: its %.40q is a %s; strings are written as \"7\"", wrong.Field, wrong.Value)
	}
	if err != nil {
		return Labelled{}, message.Errorf("is not the JSON of a sample: %w", err)
	}
	if j.Strokes == nil {
		return Labelled{}, message.Errorf(`has no "strokes"; expected {"label":...,"strokes":[[[x,y],...],...]}`)
	}
	if j.Style != "" && j.Attributes["style"] == "" {
		if j.Attributes == nil {
			j.Attributes = map[string]string{}
		}
		j.Attributes["style"] = j.Style
	}
	k, err := points.parseStrokes(j.Strokes)
	if err != nil {
		return Labelled{}, err
	}
	return Labelled{Label: j.Label, Writer: j.Writer, Context: j.Context, Attributes: j.Attributes, Ink: k}, nil
}

// WriteJSONLines writes what ReadJSONLines reads; every number comes back the same. Labels
// that are no valid UTF-8 are an error.
func WriteJSONLines(w io.Writer, samples []Labelled) error {
	out := bufio.NewWriter(w)
	return each(out, samples, func(s Labelled) error {
		if !utf8.ValidString(s.Label) || !utf8.ValidString(s.Writer) {
			return message.Errorf("the label or writer %q is no valid UTF-8; rename it", s.Label+s.Writer)
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

// pointParser reads the "strokes" of a line. Most of a file is these numbers, and reading
// them apart from encoding/json takes a fifth of the time.
type pointParser struct {
	text   []byte
	at     int
	points []Point // of all strokes
	ends   []int   // where each stroke ends in points
}

// parseStrokes reads [[[x,y],...],...]; text is valid JSON.
func (p *pointParser) parseStrokes(text []byte) (Ink, error) {
	p.text, p.at, p.points, p.ends = text, 0, p.points[:0], p.ends[:0]
	err := p.list("the strokes", func() error {
		err := p.list("a stroke", p.point)
		if p.ends = append(p.ends, len(p.points)); len(p.ends) > MaxPoints {
			return errTooMany
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	points := append(make([]Point, 0, len(p.points)), p.points...)
	k, start := make(Ink, len(p.ends)), 0
	for i, end := range p.ends {
		k[i] = points[start:end:end]
		start = end
	}
	return k, nil
}

func (p *pointParser) point() error {
	var values [4]float64
	n := 0
	err := p.list("a point", func() error {
		if n == len(values) {
			return message.Errorf("point %d has more than four numbers; a point is [x,y], [x,y,t] or [x,y,t,pressure]", len(p.points)+1)
		}
		v, err := p.value()
		values[n] = v
		n++
		return err
	})
	if err != nil {
		return err
	}
	if n < 2 {
		return message.Errorf("point %d has %d numbers; a point is [x,y], [x,y,t] or [x,y,t,pressure]", len(p.points)+1, n)
	}
	if p.points = append(p.points, Point{X: values[0], Y: values[1], T: values[2], Pressure: values[3]}); len(p.points) > MaxPoints {
		return errTooMany
	}
	return nil
}

// list calls item at each element of a JSON array.
func (p *pointParser) list(what string, item func() error) error {
	if p.skip(); p.at >= len(p.text) || p.text[p.at] != '[' {
		return message.Errorf("holds %s where %s should be; expected [[[x,y],...],...]", p.excerpt(), what)
	}
	p.at++
	if p.skip(); p.at < len(p.text) && p.text[p.at] == ']' {
		p.at++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		p.skip()
		if p.at >= len(p.text) || p.text[p.at] != ',' && p.text[p.at] != ']' {
			return message.Errorf("breaks off inside %s", what)
		}
		p.at++
		if p.text[p.at-1] == ']' {
			return nil
		}
	}
}

func (p *pointParser) skip() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// value reads a number.
func (p *pointParser) value() (float64, error) {
	p.skip()
	end := p.at
	for end < len(p.text) && (p.text[end] >= '0' && p.text[end] <= '9' || strings.IndexByte("+-.eE", p.text[end]) >= 0) {
		end++
	}
	number := p.text[p.at:end]
	if len(number) == 0 {
		return 0, message.Errorf("holds %s where a number of point %d should be", p.excerpt(), len(p.points)+1)
	}
	v, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return 0, message.Errorf("holds the number %.40s, which is out of range", number)
	}
	p.at = end
	return v, nil
}

func (p *pointParser) excerpt() string {
	return strconv.Quote(string(p.text[p.at:min(len(p.text), p.at+20)]))
}
