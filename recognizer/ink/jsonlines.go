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

// eachJSONLine reads ink with one JSON object a line:
//
//	{"label":"7","writer":"w07","strokes":[[[x,y],[x,y,t],[x,y,t,pressure]],[[x,y]]]}
//
// y grows downward, t is in milliseconds. "context", true for a character cut out of
// running text, and "attributes", an object of strings, may be absent, as label and writer
// may; "style", such as PRINTED or CURSIVE, is an attribute too. Other keys are left alone, and so are blank lines. An error names the line and says
// what is wrong with it.
func eachJSONLine(r io.Reader, f func(Labelled) error) error {
	var l lines
	left := newBudget(r)
	for text := range l.of(r) {
		s, err := parseSample(text)
		if err == nil {
			err = left.sample(&s)
		}
		if err != nil {
			return l.fail(err)
		}
		if err := f(s); err != nil {
			return err
		}
	}
	return l.err
}

// Fits fails where a file of JSON Lines has more samples than a file may hold; it looks at as many lines and no further. What else
// is wrong with a file its reader says.
func Fits(r io.Reader) error {
	text, err := textOf(r)
	if err != nil {
		return err
	}
	var l lines
	left := newBudget(text)
	for line := range l.of(text) {
		if line[0] != '{' {
			break
		}
		if err := left.spend(SampleMemory); err != nil {
			return l.fail(err)
		}
	}
	return nil
}

func parseSample(text []byte) (Labelled, error) {
	if text[0] != '{' {
		return Labelled{}, message.Errorf(`is no JSON object; expected {"label":...,"strokes":[[[x,y],...],...]}`)
	}
	var j jsonSample
	err := json.Unmarshal(text, &j)
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		return Labelled{}, message.Errorf("is not the JSON of a sample: its %.40q is a %s; strings are written as \"7\"", wrong.Field, wrong.Value)
	}
	if err != nil {
		return Labelled{}, message.Errorf("is not the JSON of a sample: %w", err)
	}
	if j.Strokes == nil {
		return Labelled{}, message.Errorf(`has no "strokes"; expected {"label":...,"strokes":[[[x,y],...],...]}`)
	}
	k, err := parseStrokes(j.Strokes)
	if err != nil {
		return Labelled{}, err
	}
	out := Labelled{Label: j.Label, Writer: j.Writer, Context: j.Context, Attributes: j.Attributes, Ink: k}
	if j.Style != "" && j.Attributes["style"] == "" {
		out.set("style", j.Style)
	}
	return out, nil
}

// WriteJSONLines writes JSON Lines as Read reads them; every number comes back the same. Labels
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
			b = append(p.append(append(b, '['), columns, ','), ']')
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

// parseStrokes reads [[[x,y],...],...]; text is valid JSON. Most of a file is these numbers, and reading
// them apart from encoding/json takes a fifth of the time.
func parseStrokes(text []byte) (Ink, error) {
	k := Ink{}
	points := make([]Point, 0, min(bytes.Count(text, []byte("[")), MaxPoints)) // of all strokes
	var values [4]float64
	depth, begin, n := 0, 0, 0 // open brackets, the first point of the stroke, numbers of the point
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == ']' && depth == 3 && n < 2:
			return nil, message.Errorf("point %d has %d numbers; a point is [x,y], [x,y,t] or [x,y,t,pressure]", len(points)+1, n)
		case c == ']' && (depth == 3 && len(points) == MaxPoints || depth == 2 && len(k) == MaxPoints):
			return nil, errTooMany
		case c == ']':
			if depth == 3 {
				points = append(points, Point{values[0], values[1], values[2], values[3]})
			} else if depth == 2 {
				k = append(k, points[begin:len(points):len(points)])
			}
			depth--
		case depth == 3:
			if n == len(values) {
				return nil, message.Errorf("point %d has more than four numbers; a point is [x,y], [x,y,t] or [x,y,t,pressure]", len(points)+1)
			}
			end := at
			for end < len(text) && (text[end] >= '0' && text[end] <= '9' || strings.IndexByte("+-.eE", text[end]) >= 0) {
				end++
			}
			if end == at {
				return nil, message.Errorf("holds %s where a number of point %d should be", excerpt(text[at:]), len(points)+1)
			}
			v, err := strconv.ParseFloat(string(text[at:end]), 64)
			if err != nil {
				return nil, message.Errorf("holds the number %.40s, which is out of range", text[at:end])
			}
			values[n], n, at = v, n+1, end-1
		case c == '[':
			if depth++; depth == 2 {
				begin = len(points)
			}
			values, n = [4]float64{}, 0
		default:
			return nil, message.Errorf("holds %s where %s should be; expected [[[x,y],...],...]", excerpt(text[at:]), [...]string{"the strokes", "a stroke", "a point"}[depth])
		}
	}
	return k, nil
}

func excerpt(text []byte) string { return strconv.Quote(string(text[:min(len(text), 20)])) }
