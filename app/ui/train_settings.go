package ui

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/trainer"
	"inkshade/glcompute"
)

// trainSettings is what can be changed of a training. It is folded away: the defaults suit
// most writers.
type trainSettings struct {
	fold                                    *widget.Button
	reset                                   *widget.Button
	device                                  *widget.Select
	scales                                  []*scale // all of them:
	steps, rate, anchor, distortion, copies *scale
	seed                                    *widget.Entry
	form                                    *fyne.Container
	scroll                                  *container.Scroll
	resized                                 func()
	content                                 *fyne.Container
}

// scale is a slider around a default: its value is the default times the root of two to
// the power of the slider's place, and, where it may be none, 0 at the left end.
type scale struct {
	name, meaning string
	normal        float64
	none          bool
	slider        *widget.Slider
	reading       *widget.Label
}

const scaleReach = 6 // from an eighth to eight times

func newScale(name, meaning string, normal float64, none bool, format func(float64) string) *scale {
	s := &scale{name, meaning, normal, none, widget.NewSlider(-scaleReach, scaleReach), widget.NewLabel(format(normal))}
	s.slider.Step = 1
	s.slider.OnChanged = func(float64) { s.reading.SetText(format(s.value())) }
	s.reading.Alignment = fyne.TextAlignTrailing
	return s
}

func (s *scale) value() float64 {
	switch at := s.slider.Value; {
	case at == 0:
		return s.normal
	case s.none && at <= -scaleReach:
		return 0
	default:
		return s.normal * math.Exp2(at/2)
	}
}

// sliderTheme is the theme in use but for the track of sliders, which would be white on white.
type sliderTheme struct{ *houseTheme }

// Color implements fyne.Theme.
func (t sliderTheme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if name == theme.ColorNameInputBackground {
		name = colorGuide
	}
	return t.houseTheme.Color(name, v)
}

func newTrainSettings(look *houseTheme, resized func()) *trainSettings {
	normal := trainer.Defaults()
	s := &trainSettings{resized: resized}
	whole := func(v float64) string { return fmt.Sprintf("%.0f", v) }
	short := func(v float64) string { return fmt.Sprintf("%.2g", v) }
	s.steps = newScale(tr("Steps"), tr("how long it learns"), float64(normal.Steps), false, whole)
	s.rate = newScale(tr("Rate"), tr("how far each step goes"), normal.Rate, false, short)
	s.anchor = newScale(tr("Keep what it knew"), tr("how firmly it holds to the shipped model"), normal.Anchor, true, short)
	s.distortion = newScale(tr("Distortion"), tr("how much your drawings are varied"), 1, true, func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) })
	s.copies = newScale(tr("Variations"), tr("how many variations of each drawing"), float64(normal.Copies), false, whole)
	s.scales = []*scale{s.steps, s.rate, s.anchor, s.distortion, s.copies}
	var names []string
	widest := float32(0) // what the longest name of a device needs, with the arrow and room around both
	for i, kind := range deviceKinds {
		names = append(names, deviceName(string(kind)))
		widest = max(widest, fyne.MeasureText(names[i], theme.TextSize(), fyne.TextStyle{}).Width+theme.IconInlineSize()+3*theme.InnerPadding())
	}
	s.device = widget.NewSelect(names, nil)
	s.seed = widget.NewEntry()
	s.seed.Validator = func(text string) error { _, err := strconv.ParseInt(text, 10, 64); return err }
	s.reset = widget.NewButton(tr("Reset"), s.toDefaults)

	s.form = container.New(rows{})
	add := func(name, meaning string, least float32, control, reading fyne.CanvasObject) {
		s.form.Add(newSetting(newLabel(name, 13, theme.ColorNameForeground), newLabel(meaning, 11, colorMuted), least, control, reading))
	}
	add(tr("Device"), tr("what does the work"), widest, s.device, nil)
	for _, c := range s.scales {
		add(c.name, c.meaning, 0, container.NewThemeOverride(c.slider, sliderTheme{look}), c.reading)
	}
	add(tr("Seed"), tr("the same number gives the same model"), 0, s.seed, nil)
	s.scroll = container.NewVScroll(s.form)
	s.fold = widget.NewButtonWithIcon(tr("Settings"), theme.MenuExpandIcon(), s.toggle)
	s.fold.Importance, s.fold.Alignment = widget.LowImportance, widget.ButtonAlignLeading
	s.reset.Importance = widget.LowImportance
	s.content = container.NewBorder(container.NewBorder(nil, nil, nil, s.reset, s.fold), nil, nil, nil, s.scroll)
	s.toDefaults()
	s.scroll.Hide()
	s.reset.Hide()
	return s
}

func (s *trainSettings) toggle() {
	open, icon := !s.scroll.Visible(), theme.MenuExpandIcon()
	if open {
		icon = theme.MenuDropDownIcon()
	}
	show(s.scroll, open)
	show(s.reset, open)
	s.fold.SetIcon(icon)
	s.resized()
	s.content.Refresh()
}

func (s *trainSettings) toDefaults() {
	normal := trainer.Defaults()
	s.device.SetSelected(deviceName(string(normal.Device)))
	for _, c := range s.scales {
		c.slider.SetValue(0)
	}
	s.seed.SetText(strconv.FormatInt(normal.Seed, 10))
}

// options are the defaults with what was changed. A seed that is no number is the default.
func (s *trainSettings) options() trainer.Options {
	o := trainer.Defaults()
	if i := s.device.SelectedIndex(); i >= 0 {
		o.Device = deviceKinds[i]
	}
	o.Steps = int(math.Round(s.steps.value()))
	o.Rate = s.rate.value()
	o.Anchor = s.anchor.value()
	o.Distortion = o.Distortion.Times(s.distortion.value())
	o.Copies = max(int(math.Round(s.copies.value())), 1)
	if seed, err := strconv.ParseInt(s.seed.Text, 10, 64); err == nil {
		o.Seed = seed
	}
	return o
}

var deviceKinds = []glcompute.DeviceKind{glcompute.Auto, glcompute.CPU, glcompute.Fragment, glcompute.Compute, glcompute.Mixed}

// deviceName is what people call a kind of device.
func deviceName(kind string) string {
	names := map[glcompute.DeviceKind]string{
		glcompute.Auto: tr("the faster one"), glcompute.CPU: tr("CPU"), glcompute.Mixed: tr("CPU and GPU together"),
		glcompute.Fragment: tr("GPU, fragment shaders"), glcompute.Compute: tr("GPU, compute shaders"),
	}
	return cmp.Or(names[glcompute.DeviceKind(kind)], kind)
}

func (s *trainSettings) height() float32 {
	h := s.fold.MinSize().Height
	if s.scroll.Visible() {
		h += s.form.MinSize().Height + 8
	}
	return h
}

// newSetting is a row with a name, a control that is at least so wide, what it says (nil for
// nothing), and under them what it means.
func newSetting(name, meaning *label, least float32, control, reading fyne.CanvasObject) *fyne.Container {
	const line, readingWidth = 38, 62
	row := container.New(nil, name, meaning, control)
	if reading != nil {
		row.Add(reading)
	}
	row.Layout = arranged{atLeast(240, line+14), func(size fyne.Size) {
		size.Width -= scrollWidth
		left := floor(size.Width * 0.46)
		middle(name, 0, 0, left, line, name.lineHeight())
		place(meaning, 0, line-2, size.Width, meaning.lineHeight())
		right := size.Width
		if reading != nil {
			right -= readingWidth
			middle(reading, right, 0, readingWidth, line, reading.MinSize().Height)
		}
		left = min(left, size.Width-least)
		middle(control, left, 0, right-left, line, min(control.MinSize().Height, line))
	}}
	return row
}
