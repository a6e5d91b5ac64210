// Package line reads many characters at once: a number, a word, lines of words. The ink is cut into
// more pieces than it has characters; every group of neighbouring pieces may be a character and is
// asked of a recogniser of single characters, all of them as one batch; and the best path through the
// groups, by what the characters look like, how they lie beside each other and what people write, is
// the text (over-segmentation and search; Liu, Sako and Fujisawa, "Effects of classifier structures and
// training regimes on integrated segmentation and recognition of handwritten numeral strings", 2004).
package line

import (
	"cmp"
	"context"
	"math"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
)

// Candidate is a label that ink may stand for.
type Candidate struct {
	Label       string  `json:"label"`
	Probability float64 `json:"probability"` // 0 to 1; those of an answer add up to 1
}

// Answer is what a recogniser of single characters says about one of them.
type Answer struct {
	Candidates        []Candidate // best first, calibrated
	Unknown           bool        // it is like no character
	OutOfDistribution float64     // how unlike those that are known; those of most characters are below 1
}

// Shape is what may be a character: strokes, or a picture of ink where there are none.
type Shape struct {
	Ink   ink.Ink
	Image ink.Image
}

// Ask answers for many shapes as one batch, in their order.
type Ask func(ctx context.Context, shapes []Shape) ([]Answer, error)

// Options choose how lines are read; the zero value reads any characters in no language.
type Options struct {
	Language     Language
	Alternatives int     // most readings of the whole that are given; 0 stands for 5
	Cache        *Cache  // of answers for shapes that are asked again while a person writes on; nil for none
	Separate     bool    // asks for characters cut apart, even of what could read the line whole
	Fixed        []Fixed // what a person said about the ink; of what overlaps the later counts
	Person       Person  // who wrote them, where that is known
	Text         string  // what a person said that all of the ink says, instead of Fixed: it is not read then, see ErrUnlike; "" for nothing
}

// Fixed says that some ink is one character, neither parted nor joined with anything.
type Fixed struct {
	Parts []Part
	Label string // "" where it is to be recognised
	Space Space  // before it
}

// Space is what a person said of the place before a character.
type Space int

// What may be said of it.
const (
	AnySpace Space = iota // nothing: the gap tells
	NoSpace
	OneSpace
)

// Part is a run of the points of a stroke.
type Part struct{ Stroke, First, Last int } // by number in the ink, and in the stroke

// Result is what was read.
type Result struct {
	Text         string // words between spaces, lines between line ends
	Characters   []Character
	Alternatives []Alternative // readings of the whole, the best first, which is Text
	Confidence   float64       // 0 to 1: how sure it is that all of Text is right
	Hypotheses   int           // groups of pieces that might be characters
	Asked        int           // of these, those that were not in the cache
}

// Character is one of the text.
type Character struct {
	Label      string
	Confidence float64     // 0 to 1, in view of the whole line
	Candidates []Candidate // of this ink, as its recogniser has them alone
	Unknown    bool        // like no character
	Ink        ink.Ink     // its strokes, or parts of strokes; nil in a picture
	Parts      []Part      // where these come from in the ink that was read
	Fixed      bool        // a person said what it is
	Box        Box
	Line       int  // from 0
	Space      bool // a space stands before it
}

// Alternative is a reading of the whole.
type Alternative struct {
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
}

// Box is the rectangle around some ink.
type Box struct{ MinX, MinY, MaxX, MaxY float64 }

func (b Box) width() float64   { return b.MaxX - b.MinX }
func (b Box) height() float64  { return b.MaxY - b.MinY }
func (b Box) centreX() float64 { return b.MinX/2 + b.MaxX/2 }

func (b Box) union(c Box) Box {
	return Box{min(b.MinX, c.MinX), min(b.MinY, c.MinY), max(b.MaxX, c.MaxX), max(b.MaxY, c.MaxY)}
}

// nothing is the box that union does not see.
var nothing = Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

// around is the box around those of all.
func around[T any](all []T, box func(T) Box) Box {
	b := nothing
	for _, x := range all {
		b = b.union(box(x))
	}
	return b
}

func boxOf(s ink.Stroke) Box {
	return around(s, func(p ink.Point) Box { return Box{p.X, p.Y, p.X, p.Y} })
}

func boxesOf(pieces []piece) Box { return around(pieces, func(p piece) Box { return p.box }) }

func boxOfPixels(pixels []pixel) Box {
	return around(pixels, func(p pixel) Box { return Box{float64(p.x), float64(p.y), float64(p.x + 1), float64(p.y + 1)} })
}

// Read reads ink. Where it lies and how large it is changes nothing; see Check.
func Read(ctx context.Context, k ink.Ink, o Options, ask Ask) (*Result, error) {
	results, err := ReadMany(ctx, []ink.Ink{k}, o, ask)
	if err != nil {
		return nil, err
	}
	return results[0], nil
}

// mostStrokes is about a page; so many that lie over one another take half a minute and half a gigabyte.
const mostStrokes = 2500

// Check reports ink that cannot be read. Ink without a point is ink.ErrEmpty.
func Check(k ink.Ink) error {
	x0, y0, x1, y1, ok := k.Bounds()
	switch {
	case !ok:
		return ink.ErrEmpty
	case !(max(x1-x0, y1-y0) <= math.MaxFloat64/4):
		return message.Errorf("the ink is too large to be read as a line; write smaller")
	case len(k) > mostStrokes:
		return message.Errorf("%d strokes are more than a page has; at most %d are read, so give it in parts", len(k), mostStrokes)
	}
	return nil
}

// ReadMany reads many inks, each by itself; the groups of all of them are one batch. One that Check reports is an error of all.
func ReadMany(ctx context.Context, inks []ink.Ink, o Options, ask Ask) ([]*Result, error) {
	all, err := rowsOf(inks, o)
	if err != nil {
		return nil, err
	}
	return read(ctx, inks, all, o, ask)
}

func rowsOf(inks []ink.Ink, o Options) ([][]row, error) {
	if o.Text != "" {
		o.Fixed = nil
	}
	all := make([][]row, len(inks))
	for i, k := range inks {
		if err := Check(k); err != nil {
			return nil, err
		}
		all[i] = cutInk(k, o.Fixed)
		for j := range all[i] {
			all[i][j].spacing = o.Person.Spacing
		}
	}
	return all, nil
}

// read asks about the groups of all rows at once, then searches each of them.
func read(ctx context.Context, inks []ink.Ink, all [][]row, o Options, ask Ask) ([]*Result, error) {
	for _, rows := range all {
		for i := range rows {
			rows[i].group()
		}
	}
	asked, err := answer(ctx, all, o.Cache, ask)
	if err != nil {
		return nil, err
	}
	language := o.Language.model()
	results, err := gather(ctx, inks, o, all, func(r *row, number int) ([]Character, []Alternative, error) { return r.read(language, number) }, tellRows)
	for i, r := range results {
		r.Asked = asked[i]
		for _, row := range all[i] {
			r.Hypotheses += len(row.groups)
		}
	}
	return results, err
}

// gather makes a result of the rows of each ink, which are read, or told the text of, several inks at once.
func gather[R any](ctx context.Context, inks []ink.Ink, o Options, all [][]R, read func(*R, int) ([]Character, []Alternative, error), tell func([]R, []string) ([]Character, error)) ([]*Result, error) {
	results := make([]*Result, len(all))
	err := dataset.InParallel(ctx, len(all), func(ctx context.Context, i int) (err error) {
		r, rows := &Result{}, all[i]
		results[i] = r
		if labels := labelsOf(o.Text); o.Text != "" {
			if r.Characters, err = tell(rows, labels); err == nil {
				err = r.told(inks[i], labels)
			}
			return err
		}
		whole := []Alternative{{Confidence: 1}}
		for number := range rows {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			characters, texts, err := read(&rows[number], number)
			if err != nil {
				return err
			}
			r.Characters = append(r.Characters, characters...)
			whole = together(whole, texts, cmp.Or(o.Alternatives, 5))
		}
		r.Alternatives, r.Text, r.Confidence = whole, whole[0].Text, whole[0].Confidence
		return nil
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// read gives the best text of a row with its characters, and other texts below it.
func (r *row) read(language *model, number int) ([]Character, []Alternative, error) {
	paths := r.search(shipped, language)
	if len(paths) == 0 {
		return nil, nil, errNoCharacter
	}
	shares := posteriors(paths)
	characters, texts := r.characters(paths, shares, number), texts(paths, shares)
	if len(characters) > 1 { // one that is the whole line is what its recogniser says
		weigh(r.signs(paths[0], texts[0].Confidence).logistic(trust), texts, characters)
	}
	return characters, texts, nil
}

var errNoCharacter = message.Errorf("the model knows no character of this language; choose another language or model")

// together are the best readings of some lines with one more below them.
func together(above, below []Alternative, most int) []Alternative {
	var all []Alternative
	for _, a := range above {
		for _, b := range below {
			all = append(all, Alternative{strings.TrimPrefix(a.Text+"\n"+b.Text, "\n"), a.Confidence * b.Confidence})
		}
	}
	sortByConfidence(all)
	return all[:min(most, len(all))]
}
