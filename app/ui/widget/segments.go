package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// Segments is a choice of few words beside each other; the arrow keys change it.
type Segments struct {
	Keyed
	Names    []*Label
	Selected int
	onChange func(int)
	ground   *Fill
}

var _ fyne.Tappable = (*Segments)(nil)

func NewSegments(names []string, onChange func(int)) *Segments {
	s := &Segments{onChange: onChange, ground: NewFill(ColorTrack, 8)}
	mark := NewFill(ColorCard, 7)
	objs := []fyne.CanvasObject{s.ground, mark}
	for _, name := range names {
		s.Names = append(s.Names, NewLabel(name, 12, ColorMuted).Aligned(fyne.TextAlignCenter))
		objs = append(objs, s.Names[len(s.Names)-1])
	}
	s.Turned = func() {
		s.ground.Edged("", 0)
		if s.Focused {
			s.ground.Edged(theme.ColorNamePrimary, 2)
		}
	}
	s.Keys = map[fyne.KeyName]func(){
		fyne.KeyLeft:  func() { s.Change(s.Selected - 1) },
		fyne.KeyRight: func() { s.Change(s.Selected + 1) },
		fyne.KeySpace: func() { s.Change((s.Selected + 1) % len(s.Names)) },
	}
	s.Compose(s, container.New(Arranged{AtLeast(60*float32(len(names)), 26), func(size fyne.Size) {
		s.ground.Resize(size)
		ends := s.Ends(size.Width)
		for i, name := range s.Names {
			w := ends[i+1] - ends[i]
			Middle(name, ends[i], 0, w, size.Height, name.LineHeight())
			if i == s.Selected {
				Place(mark, ends[i]+2, 2, w-4, size.Height-4)
			}
		}
	}}, objs...))
	s.Choose(0)
	return s
}

// Ends are where the segments begin, and the last one ends: words take what they need, and share the rest.
func (s *Segments) Ends(width float32) []float32 {
	wide := false
	rest := width
	for _, name := range s.Names {
		wide = wide || name.Width(name.Text) > width/float32(len(s.Names))
		rest -= name.Width(name.Text)
	}
	ends := []float32{0}
	for _, name := range s.Names {
		w := width / float32(len(s.Names))
		if wide {
			w = name.Width(name.Text) + rest/float32(len(s.Names))
		}
		ends = append(ends, ends[len(ends)-1]+w)
	}
	return ends
}

// Choose marks a segment without telling of it.
func (s *Segments) Choose(i int) {
	s.Selected = i
	for j, name := range s.Names {
		name.Recolor(ColorMuted)
		if i == j {
			name.Recolor(theme.ColorNameForeground)
		}
	}
	s.Refresh()
}

func (s *Segments) Change(i int) {
	if i = min(max(i, 0), len(s.Names)-1); i != s.Selected {
		s.Choose(i)
		s.onChange(i)
	}
}

func (s *Segments) Tapped(e *fyne.PointEvent) {
	ends, i := s.Ends(s.Size().Width), 0
	for i < len(s.Names)-1 && e.Position.X >= ends[i+1] {
		i++
	}
	s.Change(i)
}
