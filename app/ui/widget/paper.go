package widget

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// guideShare is the guide box's side as a share of the pad's, and cornerShare the length of its corner marks as one of the box's.
const (
	guideShare  = 0.72
	cornerShare = 0.09
)

// padView is what the pad shows around the ink.
type padView struct {
	paper     *ground
	Lines     [3]*Fill // of ruled paper; of any other the last two, where they are wanted
	marks     [8]*Fill // two arms for each corner of the guide box or, on ruled paper, what parts squares
	Mark, Cut *Fill    // on ruled paper: behind the chosen character, and where ink is being cut
	Frame     *Fill    // around strokes that are selected
	Hint, Tip *Label   // what the empty paper says, and what stands under a drawing
	More      *Label
}

func newPadView() padView {
	words := func(text string, size float32) *Label {
		return NewLabel(text, size, ColorMuted).Aligned(fyne.TextAlignCenter)
	}
	v := padView{
		paper: NewGround(ColorPaper), Lines: [3]*Fill{NewFill(ColorBorder, 0), NewFill(ColorBorder, 0), NewFill(ColorGuide, 0)},
		Mark: NewFill(theme.ColorNameSelection, 8), Cut: NewFill(theme.ColorNamePrimary, 0), Frame: NewFill(theme.ColorNameSelection, 4).Edged(theme.ColorNamePrimary, 1),
		Hint: words(language.Tr("Draw a digit here"), 18), More: words(language.Tr("Hold Space to draw without a button"), 12), Tip: words("", 12),
	}
	for i := range v.marks {
		v.marks[i] = NewFill(ColorGuide, 0)
	}
	return v
}

func (p *Pad) layOut() *fyne.Container {
	v := &p.View
	objs := []fyne.CanvasObject{v.paper, v.Lines[0], v.Lines[1], v.Lines[2]}
	p.rule()
	v.Frame.Hide()
	for _, m := range v.marks {
		objs = append(objs, m)
	}
	if p.ruled {
		objs = append(objs, v.Mark, v.Cut)
		v.Mark.Hide()
		v.Cut.Hide()
		v.Tip.Aligned(fyne.TextAlignLeading)
	}
	return container.New(Arranged{AtLeast(260, 260), func(size fyne.Size) {
		v.paper.Resize(size)
		p.frame()
		p.showSelection()
		lines, thickness := Ruling, [3]float32{1, 1, 2}
		if p.squares {
			lines, thickness[2] = [3]float64{-Square / 2, 0, Square / 2}, 1
		}
		for i, y := range lines {
			Place(v.Lines[i], 1, Floor(size.Height/2+float32(y*p.Unit())), size.Width-2, thickness[i])
		}
		p.putMarks()
		half := Floor(size.Height / 2)
		if p.ruled { // on the baseline
			half += Floor(float32(Ruling[2] * p.Unit()))
		}
		Place(v.Hint, 0, half-v.Hint.LineHeight(), size.Width, v.Hint.LineHeight())
		Place(v.More, 0, half+4, size.Width, v.More.LineHeight())
		Place(v.Tip, 12, size.Height-v.Tip.LineHeight()-10, size.Width-24, v.Tip.LineHeight())
	}}, append(objs, v.Hint, v.More, v.Tip, p.inked, v.Frame)...)
}

// frame shows that part of the sheet alone which has ink: OpenGL in software asks every pixel for its share.
func (p *Pad) frame() {
	size, left, top, right, bottom := p.Size(), float32(0), float32(0), float32(1), float32(1)
	if minX, minY, maxX, maxY, ok := p.Drawing().Bounds(); ok {
		left, top, right, bottom = p.around(line.Box{MinX: minX, MinY: minY, MaxX: maxX, MaxY: maxY}, float32(p.Nib()*p.Unit()+2), 0)
	}
	Place(p.inked, left, top, max(right-left, 1), max(bottom-top, 1))
	Place(p.raster, -left, -top, size.Width, size.Height)
}

// around is a box of the page in Fyne units, with so much more on all sides, as far as it lies within the paper but for its edge.
func (p *Pad) around(b line.Box, more, edge float32) (left, top, right, bottom float32) {
	u, middle, size := p.Unit(), float64(p.Size().Height)/2, p.Size()
	left, right = max(p.At(b.MinX)-more, edge), min(p.At(b.MaxX)+more, size.Width-edge)
	top, bottom = max(float32(b.MinY*u+middle)-more, edge), min(float32(b.MaxY*u+middle)+more, size.Height-edge)
	return left, top, right, bottom
}

func (p *Pad) rule() {
	for i, l := range p.View.Lines {
		l.Hidden = !p.ruled && !(p.Lined && i > 0) || p.squares && i == 1
	}
}

func (p *Pad) Refresh() {
	p.rule()
	v := &p.View
	edge := ColorBorder
	if p.Live != nil {
		edge = ColorAccentSoft
	}
	v.paper.edged(edge)
	v.Hint.Hidden = len(p.History.Now) > 0 || p.Live != nil
	v.More.Hidden = v.Hint.Hidden
	_, _, _, low, ok := p.History.Now.Bounds()
	v.Tip.Hidden = p.Done || !ok || float32(low*p.Unit())+p.Size().Height/2 > v.Tip.Position().Y // where the ink is
	p.Composed.Refresh()
}

const (
	Square        = 700.0 // side of a square for one character, in page units
	longInSquares = 1.3   // width of a stroke to the left or right, in squares: no stroke of a character is as long
)

// SetSquares has ruled paper show squares for single characters, from the left edge on, or lines.
func (p *Pad) SetSquares(on bool) {
	p.squares = on
	p.Refresh()
	Rearrange(p.Content)
}

// putMarks places the corners of the guide box, or what parts the squares that are seen.
func (p *Pad) putMarks() {
	size, marks, first := p.Size(), p.View.marks, int(p.Scroll/Square)+1
	for i, s := range marks {
		if p.ruled {
			x, side := p.At(float64(first+i)*Square), float32(Square*p.Unit())
			s.Hidden = !p.squares || x >= size.Width
			Place(s, Floor(x), Floor((size.Height-side)/2), 1, side)
			continue
		}
		const thick = 2
		side, right, bottom := Floor(min(size.Width, size.Height)*guideShare), float32(i/2%2), float32(i/4)
		width, height := Floor(side*cornerShare), float32(thick)
		if i%2 == 1 {
			width, height = height, width
		}
		Place(s, Floor((size.Width-side)/2)+right*(side-width), Floor((size.Height-side)/2)+bottom*(side-height), width, height)
	}
}

// Ruling is where lines to write on lie, in page units: the height of capitals, of small letters, and the baseline.
var Ruling = [3]float64{-250, -60, 180}

const (
	ruledMargin = 60.0   // left of the first character
	longest     = 2400.0 // ink that comes from elsewhere
)

// onLine scales ink to capitals on the baseline, at the left edge.
func onLine(k ink.Ink) ink.Ink {
	minX, minY, maxX, maxY, _ := k.Bounds()
	tall := Ruling[2] - Ruling[0]
	scale := min(tall/max(maxY-minY, 1e-9), longest/max(maxX-minX, 1e-9))
	return scaled(k, scale, minX, (minY+maxY)/2, ruledMargin, Ruling[2]-tall/2)
}

var _ fyne.Scrollable = (*Pad)(nil)

// origin is where page units begin from the left, on paper of a width whose page unit is so long.
func (p *Pad) origin(width, unit float64) float64 {
	if p.ruled {
		return -p.Scroll * unit
	}
	return width / 2
}

// At is where an x of the page is, in Fyne units from the left edge.
func (p *Pad) At(x float64) float32 {
	return float32(x*p.Unit() + p.origin(float64(p.Size().Width), p.Unit()))
}

// Nib is the radius of the pen in page units.
func (p *Pad) Nib() float64 {
	if p.ruled {
		return finePen * p.Width
	}
	return penRadius * p.Width
}

func (p *Pad) Scrolled(e *fyne.ScrollEvent) {
	p.ScrollTo(p.Scroll - float64(e.Scrolled.DX+e.Scrolled.DY)/p.Unit())
}

// nextWord is how much of ruled paper that was scrolled stays free behind the ink, as a share of what is seen.
const nextWord = 0.35

// farthest is how far ruled paper can be moved: not at all while there is room for another word, and just as far as that needs then.
func (p *Pad) farthest() float64 {
	_, _, right, _, _ := p.History.Now.Bounds()
	return max(right-(1-nextWord)*p.visible(), 0)
}

// ScrollTo moves ruled paper, no farther than there is room to write on.
func (p *Pad) ScrollTo(x float64) { p.scrollTo(min(max(x, 0), p.farthest())) }

// Space makes room on ruled paper for another word; the last one stays in view.
func (p *Pad) Space() { p.scrollTo(p.farthest()) }

func (p *Pad) scrollTo(x float64) {
	if p.ruled && p.Live == nil && x != p.Scroll {
		p.Scroll = x
		p.putMarks()
		p.showSelection()
		p.Restamp()
		Run(p.OnScroll)
	}
}

func (p *Pad) visible() float64 { return float64(p.Size().Width) / p.Unit() }

// MarkBox shows which ink is meant.
func (p *Pad) MarkBox(b line.Box) {
	if left, top, right, bottom := p.around(b, 8, 1); left < right {
		Place(p.View.Mark, left, top, right-left, bottom-top)
		p.View.Mark.Show()
	}
}

// MakeRoom scrolls when no other character fits on what is seen of the paper.
func (p *Pad) MakeRoom() {
	character := Ruling[2] - Ruling[0]
	if p.squares {
		character = Square
	}
	if _, _, right, _, ok := p.History.Now.Bounds(); ok && right > p.Scroll+p.visible()-character {
		p.toEnd()
	}
}

// toEnd scrolls to the end of what is written, whole squares.
func (p *Pad) toEnd() {
	to := p.farthest()
	if p.squares {
		to = Square * math.Ceil(to/Square)
	}
	p.scrollTo(to)
}

// Reveal scrolls so that what lies between two places is seen.
func (p *Pad) Reveal(from, to float64) {
	if from < p.Scroll || to > p.Scroll+p.visible() {
		p.ScrollTo((from+to)/2 - p.visible()/2)
	}
}

// Fix says something more of the characters of a line.
func (p *Pad) Fix(fixed []line.Fixed) {
	p.step(func() bool {
		from := p.History.Source
		p.History.push(p.History.Now)
		p.History.Fixed, p.History.Source = fixed, from
		return true
	})
}

// Gesture takes the last stroke off ruled paper where it is a gesture, with what it strikes out, and says which it is.
func (p *Pad) Gesture() line.Gesture {
	n := len(p.History.Now) - 1
	if n < 0 {
		return line.NoGesture
	}
	height := Ruling[2] - Ruling[1]
	long := line.LongStroke * height
	if p.squares {
		height, long = Square, longInSquares*Square
	}
	what, struck := line.GestureOf(p.History.Now[n], p.History.Now[:n], height, long)
	if what != line.NoGesture {
		p.step(p.History.drop)
	}
	if what == line.ScratchOut {
		p.Erase(Map(struck, func(i int) line.Part { return line.Part{Stroke: i} }))
	}
	return what
}

// EraseLast takes the last of the characters that were read off ruled paper; the others of its word stay as they were read.
func (p *Pad) EraseLast(all []line.Character) {
	i := len(all) - 1
	erased, said := all[i].Parts, slices.Clone(p.History.Fixed)
	for ; i > 0 && !all[i].Space && all[i].Line == all[i-1].Line; i-- {
		if c := all[i-1]; !c.Fixed && !c.Unknown {
			said = append(said, line.Fixed{Parts: c.Parts, Label: c.Label, Space: map[bool]line.Space{true: line.OneSpace}[c.Space]})
		}
	}
	p.takeOff(erased, said)
}

// Erase takes parts of strokes off ruled paper, with what follows them in their strokes; what was said of the rest holds.
func (p *Pad) Erase(erased []line.Part) { p.takeOff(erased, p.History.Fixed) }

func (p *Pad) takeOff(erased []line.Part, said []line.Fixed) {
	p.step(func() bool {
		var rest ink.Ink
		number := map[int]int{} // of those that stay, by the one before
		for i, s := range p.History.Now {
			for _, e := range erased {
				if e.Stroke == i && e.First == 0 {
					s = nil
				} else if e.Stroke == i {
					s = s[:min(len(s), e.First+1)]
				}
			}
			if len(s) > 0 {
				number[i] = len(rest)
				rest = append(rest, s)
			}
		}
		var fixed []line.Fixed
		for _, f := range said {
			f.Parts = slices.Clone(f.Parts)
			gone := false
			for i, q := range f.Parts {
				to, stays := number[q.Stroke]
				gone = gone || !stays || q.Last >= len(rest[to])
				f.Parts[i].Stroke = to
			}
			if !gone {
				fixed = append(fixed, f)
			}
		}
		p.History.push(rest)
		p.History.Fixed = fixed
		return true
	})
}
