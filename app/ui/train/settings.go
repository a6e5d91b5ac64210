package train

import (
	"cmp"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/personal"
	"inkshade/recognizer/train"
)

// settings is what can be changed of a training. It is folded away: the defaults suit most writers.
type settings struct {
	fold    *widget.Press
	reset   *widget.Press
	device  *widget.DropDown
	scales  []*scale // of the settings that personal.Adjustable gives a title
	seed    *widget.Entry
	form    *fyne.Container
	scroll  *container.Scroll
	resized func()
	content *fyne.Container
}

// scale is a slider around a default: the value is that times the root of two to the power of its place; 0 at the left end where it may be off.
type scale struct {
	train.Setting[personal.Settings]
	slider  *widget.Slide
	reading *toolkit.Label
}

const scaleReach = 6 // from an eighth to eight times

func newScale(setting train.Setting[personal.Settings]) *scale {
	s := &scale{setting, widget.NewSlide(-scaleReach, scaleReach, 1), toolkit.NewLabel("")}
	s.slider.OnChanged = func(float64) { s.reading.SetText(s.text()) }
	s.reading.SetText(s.text())
	s.reading.Alignment = fyne.TextAlignTrailing
	return s
}

// factor is what the slider makes of the default.
func (s *scale) factor() float64 {
	if s.Off && s.slider.Value <= -scaleReach {
		return 0
	}
	return math.Exp2(s.slider.Value / 2)
}

// put changes the setting, which has its default.
func (s *scale) put(o *personal.Settings) {
	switch of := s.Of(o).(type) {
	case *int:
		*of = max(int(math.Round(float64(*of)*s.factor())), 1)
	case *float64:
		*of *= s.factor()
	case *dataset.Distortion:
		*of = of.Times(s.factor())
	}
}

// text is the value as people read it.
func (s *scale) text() string {
	o := personal.DefaultSettings()
	s.put(&o)
	switch of := s.Of(&o).(type) {
	case *int:
		return strconv.Itoa(*of)
	case *float64:
		return language.Number("%.2g", *of)
	}
	return language.Number("%.0f %%", 100*s.factor())
}

func newSettings(look *widget.HouseTheme, resized func()) *settings {
	s := &settings{resized: resized}
	for _, setting := range personal.Adjustable {
		if setting.Title != "" {
			s.scales = append(s.scales, newScale(setting))
		}
	}
	names, widest := widget.Map(deviceKinds, func(k glcompute.DeviceKind) string { return deviceName(string(k)) }), float32(0)
	for _, name := range names { // what the longest needs, with the arrow and room around both
		widest = max(widest, fyne.MeasureText(name, theme.TextSize(), fyne.TextStyle{}).Width+theme.IconInlineSize()+3*theme.InnerPadding())
	}
	s.device = widget.NewDropDown(names, 0, nil)
	s.seed = widget.NewEntry("")
	s.seed.Validator = func(text string) error { _, err := strconv.ParseInt(text, 10, 64); return err }
	s.reset = widget.NewPress(language.Tr("Reset"), s.toDefaults)

	s.form = widget.Under(0)
	// A row has a name, a control that is at least so wide where the name leaves it room, what it says (nil for nothing), and under them what it means.
	add := func(name, meaning string, least float32, control, reading fyne.CanvasObject) {
		const line = 38
		title, under := widget.NewLabel(name, 13, theme.ColorNameForeground), widget.NewLabel(meaning, 11, widget.ColorMuted)
		row := container.New(nil, title, under, control)
		if reading != nil {
			row.Add(reading)
		}
		row.Layout = widget.Arranged{Least: widget.AtLeast(240, line+14), Put: func(size fyne.Size) {
			size.Width -= widget.ScrollWidth
			a := widget.Whole(size)
			upper := a.Top(line, -2)
			a.Top(under.LineHeight(), 0).Put(under)
			if reading != nil {
				value := upper.Right(62, 0)
				widget.Middle(reading, value.Pos.X, 0, value.Size.Width, line, reading.MinSize().Height)
			}
			left := widget.Floor(size.Width * 0.46)
			left = max(min(left, size.Width-least), min(left, title.Width(name)+4))
			widget.Place(title, 0, 0, left, line)
			widget.Middle(control, left, 0, upper.Size.Width-left, line, min(control.MinSize().Height, line))
		}}
		s.form.Add(row)
	}
	add(language.Tr("Device"), language.Tr("what does the work"), widest, s.device, nil)
	for _, c := range s.scales {
		add(language.Tr(c.Title), language.Tr(c.Meaning), 0, container.NewThemeOverride(c.slider, widget.SliderTheme{HouseTheme: look}), c.reading)
	}
	add(language.Tr("Seed"), language.Tr("the same number gives the same model"), 0, s.seed, nil)
	s.scroll = container.NewVScroll(s.form)
	s.fold = widget.NewPressWithIcon(language.Tr("Settings"), theme.MenuExpandIcon(), s.toggle)
	s.fold.Importance, s.fold.Alignment = toolkit.LowImportance, toolkit.ButtonAlignLeading
	s.reset.Importance = toolkit.LowImportance
	s.content = widget.Under(4, container.NewBorder(nil, nil, nil, s.reset, s.fold), widget.Rest(s.scroll))
	s.toDefaults()
	s.scroll.Hide()
	s.reset.Hide()
	return s
}

func (s *settings) toggle() {
	open, icon := !s.scroll.Visible(), theme.MenuExpandIcon()
	if open {
		icon = theme.MenuDropDownIcon()
	}
	widget.Show(s.scroll, open)
	widget.Show(s.reset, open)
	s.fold.SetIcon(icon)
	s.resized()
	s.content.Refresh()
}

func (s *settings) toDefaults() {
	normal := state.DefaultOptions()
	s.device.SetSelected(deviceName(string(normal.Device)))
	for _, c := range s.scales {
		c.slider.SetValue(0)
	}
	s.seed.SetText(strconv.FormatInt(normal.Seed, 10))
}

// options are the defaults with what was changed. A seed that is no number is the default.
func (s *settings) options() state.Options {
	o := state.DefaultOptions()
	if i := s.device.SelectedIndex(); i >= 0 {
		o.Device = deviceKinds[i]
	}
	for _, c := range s.scales {
		c.put(&o.Settings)
	}
	if seed, err := strconv.ParseInt(s.seed.Text, 10, 64); err == nil {
		o.Seed = seed
	}
	return o
}

var deviceKinds = []glcompute.DeviceKind{glcompute.Auto, glcompute.CPU, glcompute.Fragment, glcompute.Compute, glcompute.Mixed}

func deviceName(kind string) string {
	names := map[glcompute.DeviceKind]string{
		glcompute.Auto: language.Tr("the faster one"), glcompute.CPU: language.Tr("CPU"), glcompute.Mixed: language.Tr("CPU and GPU together"),
		glcompute.Fragment: language.Tr("GPU, fragment shaders"), glcompute.Compute: language.Tr("GPU, compute shaders"),
	}
	return cmp.Or(names[glcompute.DeviceKind(kind)], kind)
}

func (s *settings) height() float32 {
	h := s.fold.MinSize().Height
	if s.scroll.Visible() {
		h += s.form.MinSize().Height + 8
	}
	return h
}
