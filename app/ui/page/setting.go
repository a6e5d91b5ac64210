package page

import (
	"inkshade/app/state/setting"
	"inkshade/app/ui/widget"
)

// SetPen brings the pen of a paper, and its lines, in step with what is set.
func (f *Frame) SetPen(pad *widget.Pad) {
	p := f.App.Preferences()
	pad.Width, pad.Lined = setting.PenWidth.Get(p), setting.Ruled.Get(p)
	pad.Restamp()
}
