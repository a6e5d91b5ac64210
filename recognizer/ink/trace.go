package ink

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"inkshade/glcompute/message"
)

// channel is one number of an InkML point, and what turns it into our unit.
type channel struct {
	name  string
	scale float64
}

type traceFormat []channel

var plainFormat = traceFormat{{"X", 1}, {"Y", 1}}

func newChannel(t xml.StartElement) channel {
	c := channel{name: attribute(t, "name"), scale: 1}
	switch {
	case c.name == "T" && attribute(t, "units") == "s":
		c.scale = 1000
	case (c.name == "X" || c.name == "Y") && attribute(t, "orientation") == "-ve":
		c.scale = -1
	case c.name == "F":
		if most, err := strconv.ParseFloat(attribute(t, "max"), 64); err == nil && most > 0 {
			c.scale = 1 / most
		}
	}
	return c
}

func (f traceFormat) has(name string) bool {
	return slices.ContainsFunc(f, func(c channel) bool { return c.name == name })
}

// parse reads the text of a trace: points parted by commas, a value a channel. A value may
// be preceded by ! (absolute), ' (difference to the last) or " (difference of
// differences), which holds for its channel until another comes; * repeats the last value,
// and ? is unknown.
func (f traceFormat) parse(text string) (Stroke, error) {
	var s Stroke
	value := make([]float64, len(f))
	speed := make([]float64, len(f))
	mode := bytes.Repeat([]byte{'!'}, len(f))
	for part := range strings.SplitSeq(text, ",") {
		rest := strings.TrimSpace(part)
		if rest == "" {
			continue
		}
		n := 0
		for ; rest != "" && n < len(f); n++ {
			if strings.IndexByte("!'\"", rest[0]) >= 0 {
				mode[n], rest = rest[0], strings.TrimLeft(rest[1:], " \t\r\n")
			}
			word := leadingValue(rest)
			v, err := parseValue(word)
			switch {
			case word == "*":
				v = speed[n]
				if mode[n] == '!' {
					v = value[n]
				} else if mode[n] == '"' {
					v = 0
				}
			case word == "?" || word == "T" || word == "F":
				v = 0
			case err != nil || v-v != 0:
				return nil, message.Errorf("%.40q of point %d is no number", rest, len(s)+1)
			}
			switch mode[n] {
			case '!':
				speed[n], value[n] = v-value[n], v
			case '\'':
				speed[n] = v
				value[n] += v
			case '"':
				speed[n] += v
				value[n] += speed[n]
			}
			rest = strings.TrimLeft(rest[len(word):], " \t\r\n")
		}
		if rest != "" || f[n:].has("X") || f[n:].has("Y") { // channels at the end may be intermittent
			return nil, message.Errorf("point %d, %.40q, does not have the %d values of its format", len(s)+1, part, len(f))
		}
		p := f.point(value)
		if !p.finite() {
			return nil, message.Errorf("point %d is out of range", len(s)+1)
		}
		if s = append(s, p); len(s) > MaxPoints {
			return nil, errTooMany
		}
	}
	return s, nil
}

func (f traceFormat) point(value []float64) Point {
	var p Point
	for i, c := range f {
		v := value[i]*c.scale + 0 // no minus zero
		switch c.name {
		case "X":
			p.X = v
		case "Y":
			p.Y = v
		case "T":
			p.T = v
		case "F":
			p.Pressure = min(max(v, 0), 1)
		}
	}
	return p
}

// parseValue reads a decimal number, or a hexadecimal one after #.
func parseValue(word string) (float64, error) {
	if digits, ok := strings.CutPrefix(word, "#"); ok {
		n, err := strconv.ParseUint(digits, 16, 53)
		return float64(n), err
	}
	return strconv.ParseFloat(word, 64)
}

// leadingValue is the number, * or ? that text begins with. A sign begins a new value, so
// that 10-5 is two.
func leadingValue(text string) string {
	if strings.HasPrefix(text, "#") {
		return text[:len(text)-len(strings.TrimLeft(text[1:], "0123456789ABCDEFabcdef"))]
	}
	if text != "" && strings.IndexByte("*?TF", text[0]) >= 0 {
		return text[:1]
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= '0' && c <= '9', c == '.', c == 'e', c == 'E':
		case (c == '-' || c == '+') && (i == 0 || text[i-1] == 'e' || text[i-1] == 'E'):
		default:
			return text[:i]
		}
	}
	return text
}
