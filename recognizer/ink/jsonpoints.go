package ink

import (
	"strconv"
	"strings"

	"inkshade/glcompute/message"
)

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
