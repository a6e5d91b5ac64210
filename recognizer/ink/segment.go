package ink

import (
	"slices"
	"strconv"
	"strings"

	"inkshade/glcompute/message"
)

// segment is a .SEGMENT of a UNIPEN file.
type segment struct {
	line  int
	level string
	parts []part
	Labelled
}

// part is a run of strokes, from a point of the first to a point of the last, all
// inclusive; lastPoint -1 means to the end.
type part struct{ first, firstPoint, last, lastPoint int }

// segment reads what follows .SEGMENT: level, delineation, quality, "label".
func (u *unipenReader) segment(rest string) error {
	head, label, err := cutLabel(rest)
	if err != nil {
		return err
	}
	s := segment{line: u.lines.number, Labelled: Labelled{Label: label, Writer: u.writer}}
	for word := range strings.FieldsSeq(head) {
		if s.level == "" {
			s.level = word
			continue
		}
		if strings.Trim(word, "0123456789-:,") != "" || word == "-" {
			break // the quality
		}
		if s.parts, err = u.appendParts(s.parts, word); err != nil {
			return err
		}
	}
	u.segments = append(u.segments, s)
	return u.left.spend(SampleMemory + len(rest))
}

// cutLabel splits off the label, which is quoted and escapes by backslash.
func cutLabel(rest string) (head, label string, err error) {
	head, quoted, ok := strings.Cut(rest, `"`)
	if !ok {
		return rest, "", nil
	}
	if label, err := strconv.Unquote(`"` + quoted); err == nil {
		return head, label, nil
	}
	// Old files leave a quote or backslash in a label unescaped.
	label, ok = strings.CutSuffix(quoted, `"`)
	if !ok {
		return "", "", message.Errorf("has a label without its closing quote: %.40q", quoted)
	}
	return head, label, nil
}

// appendParts reads a delineation: strokes, ranges, and points within strokes.
func (u *unipenReader) appendParts(parts []part, text string) ([]part, error) {
	for item := range strings.SplitSeq(text, ",") {
		if item == "" {
			continue
		}
		from, to, isRange := strings.Cut(item, "-")
		p := part{lastPoint: -1}
		var err, err2 error
		p.first, p.firstPoint, err = strokeAndPoint(from, 0)
		if isRange {
			p.last, p.lastPoint, err2 = strokeAndPoint(to, -1)
		} else if p.last = p.first; strings.Contains(from, ":") {
			p.lastPoint = p.firstPoint
		}
		if err != nil || err2 != nil || p.last < p.first {
			return nil, message.Errorf("names the strokes %.40q; expected a number as 12, a range as 12-13, or a list of these", text)
		}
		parts = append(parts, p)
		if err := u.left.item(""); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func strokeAndPoint(text string, point int) (int, int, error) {
	a, b, ok := strings.Cut(text, ":")
	stroke, err := strconv.Atoi(a)
	if err == nil && ok {
		point, err = strconv.Atoi(b)
	}
	return stroke, point, err
}

// comment takes what a .COMMENT below the segment says of it.
func (s *segment) comment(text string, left *budget) error {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil
	}
	switch {
	case words[0] == "context" && len(words) == 2:
		s.Context = words[1] == "true"
	case words[0] == "attribute":
		name, value, ok := quotedPair(strings.TrimSpace(text[len("attribute"):]))
		if !ok {
			return nil
		}
		s.set(name, value)
		return left.item(name + value)
	case words[0] == "writer":
		if writer, err := strconv.Unquote(strings.TrimSpace(text[len("writer"):])); err == nil {
			s.Writer = writer
		}
	case len(words) == 3 && words[0] == s.Label && s.Writer == "":
		if _, err := strconv.Atoi(words[2]); err == nil {
			s.Writer = words[1]
		}
	}
	return nil
}

func quotedPair(text string) (name, value string, ok bool) {
	first, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", false
	}
	name, err1 := strconv.Unquote(first)
	value, err2 := strconv.Unquote(strings.TrimSpace(text[len(first):]))
	return name, value, err1 == nil && err2 == nil
}

// cut takes the segment's ink out of the strokes of the file.
func (s *segment) cut(strokes []Stroke, left *budget) error {
	if len(s.parts) == 0 {
		return message.Errorf("names no strokes; expected .SEGMENT level strokes quality \"label\"")
	}
	for _, p := range s.parts {
		if p.last >= len(strokes) {
			return message.Errorf("names stroke %d, but the file has %d strokes, counted from 0; get it again", p.last, len(strokes))
		}
		for i := p.first; i <= p.last; i++ {
			run := strokes[i]
			if i == p.last && p.lastPoint >= 0 && p.lastPoint < len(run) {
				run = run[:p.lastPoint+1]
			}
			if i == p.first {
				run = run[min(len(run), p.firstPoint):]
			}
			if err := left.stroke(len(run)); err != nil {
				return err
			}
			if len(run) > 0 {
				s.Ink = append(s.Ink, slices.Clone(run))
			}
		}
	}
	return nil
}
