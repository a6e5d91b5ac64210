package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// segments is a choice of few words beside each other; the arrow keys change it.
type segments struct {
	keyed
	names    []*label
	selected int
	onChange func(int)
	ground   *fill
}

var _ fyne.Tappable = (*segments)(nil)

func newSegments(names []string, onChange func(int)) *segments {
	s := &segments{onChange: onChange, ground: newFill(colorTrack, 8)}
	mark := newFill(colorCard, 7)
	objs := []fyne.CanvasObject{s.ground, mark}
	for _, name := range names {
		s.names = append(s.names, newLabel(name, 12, colorMuted).aligned(fyne.TextAlignCenter))
		objs = append(objs, s.names[len(s.names)-1])
	}
	s.turned = func() {
		s.ground.edged("", 0)
		if s.focused {
			s.ground.edged(theme.ColorNamePrimary, 2)
		}
	}
	s.keys = map[fyne.KeyName]func(){
		fyne.KeyLeft:  func() { s.change(s.selected - 1) },
		fyne.KeyRight: func() { s.change(s.selected + 1) },
		fyne.KeySpace: func() { s.change((s.selected + 1) % len(s.names)) },
	}
	s.compose(s, container.New(arranged{atLeast(60*float32(len(names)), 26), func(size fyne.Size) {
		s.ground.Resize(size)
		ends := s.ends(size.Width)
		for i, name := range s.names {
			w := ends[i+1] - ends[i]
			middle(name, ends[i], 0, w, size.Height, name.lineHeight())
			if i == s.selected {
				place(mark, ends[i]+2, 2, w-4, size.Height-4)
			}
		}
	}}, objs...))
	s.choose(0)
	return s
}

// ends are where the segments begin, and the last one ends: words take what they need, and share the rest.
func (s *segments) ends(width float32) []float32 {
	wide := false
	rest := width
	for _, name := range s.names {
		wide = wide || name.width(name.text) > width/float32(len(s.names))
		rest -= name.width(name.text)
	}
	ends := []float32{0}
	for _, name := range s.names {
		w := width / float32(len(s.names))
		if wide {
			w = name.width(name.text) + rest/float32(len(s.names))
		}
		ends = append(ends, ends[len(ends)-1]+w)
	}
	return ends
}

// choose marks a segment without telling of it.
func (s *segments) choose(i int) {
	s.selected = i
	for j, name := range s.names {
		name.recolor(colorMuted)
		if i == j {
			name.recolor(theme.ColorNameForeground)
		}
	}
	s.Refresh()
}

func (s *segments) change(i int) {
	if i = min(max(i, 0), len(s.names)-1); i != s.selected {
		s.choose(i)
		s.onChange(i)
	}
}

func (s *segments) Tapped(e *fyne.PointEvent) {
	ends, i := s.ends(s.Size().Width), 0
	for i < len(s.names)-1 && e.Position.X >= ends[i+1] {
		i++
	}
	s.change(i)
}
