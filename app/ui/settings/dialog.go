// Package settings is the dialog in which the window is set.
package settings

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
)

// scaleVariable is where the toolkit looks first for the scale of windows.
const scaleVariable = "FYNE_SCALE"

var scaled = os.Getenv(scaleVariable) != "" // by the person, which counts

// Enlarge makes texts, and what is around them, as large as is set, in windows that are opened next or told of a new theme.
func Enlarge(a fyne.App) {
	size := setting.TextSize.Get(a.Preferences())
	switch {
	case scaled:
	case size > 1:
		_ = os.Setenv(scaleVariable, fmt.Sprint(size*float64(max(a.Settings().Scale(), 1))))
	default:
		_ = os.Unsetenv(scaleVariable)
	}
}

// deviceChoices are who can be chosen to answer, in the order of the settings.
var deviceChoices = []device.Choice{device.ChooseGPU, device.ChooseCPU, device.ChooseFaster}

// ChosenDevice is who answered last time by the person's choice; empty where none was made.
func ChosenDevice(a fyne.App) device.Choice {
	return device.Choice(setting.Device.Get(a.Preferences()))
}

// ChooseDevice lets somebody else answer, also after the next start.
func ChooseDevice(f *page.Frame, c device.Choice) {
	setting.Device.Set(f.App.Preferences(), string(c))
	f.Worker.Choose(c)
}

// Looks are those that can be chosen, in the order of the settings.
var Looks = []widget.Appearance{widget.System, widget.Light, widget.Dark}

// Show opens the dialog, and gives what chooses the look there; measured gives what was measured last on a side, nil for nothing.
func Show(f *page.Frame, measured func(device.Side) *worker.Times, setLook func(widget.Appearance), setTextSize func(float64), setLanguage func(code string)) (look *widget.DropDown) {
	p := f.App.Preferences()
	number := func(of setting.Setting[float64], low, high, step float64, format string) fyne.CanvasObject {
		read := func(v float64) string {
			if v == 0 {
				return language.Tr("never")
			}
			return language.Number(format, v)
		}
		value := of.Get(p)
		reading, slider := toolkit.NewLabel(read(value)), widget.NewSlide(low, high, step)
		slider.SetValue(value)
		slider.OnChanged = func(v float64) {
			reading.SetText(read(v))
			of.Set(p, v)
			f.Each(func(p *page.Page) func() { return p.Set })
		}
		return container.NewBorder(nil, nil, nil, reading, container.NewThemeOverride(slider, widget.SliderTheme{HouseTheme: f.Theme}))
	}
	codes, names := []string{""}, []string{language.Tr("Same as System")}
	for _, l := range language.All {
		codes, names = append(codes, l.Code), append(names, l.Name)
	}
	words := widget.NewDropDown(names, max(slices.Index(codes, setting.Language.Get(p)), 0), func(i int) { setLanguage(codes[i]) })
	size := widget.NewDropDown([]string{language.Tr("Normal"), language.Tr("Large"), language.Tr("Very large")}, slices.Index(setting.TextSizes, setting.TextSize.Get(p)),
		func(i int) { setTextSize(setting.TextSizes[i]) })
	look = widget.NewDropDown([]string{language.Tr("Same as System"), language.Tr("Light"), language.Tr("Dark")}, slices.Index(Looks, f.Theme.Appearance), func(i int) {
		if Looks[i] != f.Theme.Appearance { // by a key of the menu meanwhile
			setLook(Looks[i])
		}
	})
	device := widget.NewDropDown([]string{language.Tr("GPU (OpenGL shaders)"), language.Tr("CPU"), language.Tr("The Faster One")}, slices.Index(deviceChoices, f.Status.Choice),
		func(i int) { ChooseDevice(f, deviceChoices[i]) })
	last := container.New(layout.NewCustomPaddedLayout(0, 0, theme.InnerPadding(), 0), widget.NewLabel(measuredWords(measured), 12, widget.ColorMuted).Wrapped(2))
	form := toolkit.NewForm(
		toolkit.NewFormItem(language.Tr("Language"), words),
		toolkit.NewFormItem(language.Tr("Look"), look),
		toolkit.NewFormItem(language.Tr("Size of text"), size),
		toolkit.NewFormItem(language.Tr("Width of the pen"), number(setting.PenWidth, 0.5, 2, 0.1, "× %.1f")),
		toolkit.NewFormItem(language.Tr("Draw: next character after a pause of"), number(setting.DrawPause, 0, 4, 0.2, "%.1f s")),
		toolkit.NewFormItem(language.Tr("Writing samples: next one after a pause of"), number(setting.GuidedPause, 0.4, 4, 0.2, "%.1f s")),
		toolkit.NewFormItem(language.Tr("Write Anywhere: typed after a pause of"), number(setting.PanelPause, 0.4, 4, 0.2, "%.1f s")),
		toolkit.NewFormItem(language.Tr("Who answers"), container.NewVBox(device, last)))
	f.Dialog(language.Tr("Settings"), form, fyne.NewSize(600, 260))
	return look
}

// measuredWords say how long each device took for the last drawing that was measured.
func measuredWords(measured func(device.Side) *worker.Times) string {
	var taken [2]string
	for i, side := range []device.Side{device.CPU, device.GPU} {
		t := measured(side)
		switch {
		case t == nil:
			return language.Tr("Draw something, and both are measured.")
		case errors.Is(t.Err, device.ErrWords):
			return language.Tr("Whole words are read on the processor.")
		case t.Err != nil:
			return ""
		}
		taken[i] = language.Duration(t.Timing.Total())
	}
	return language.Tr("Measured last: {{.CPU}} on the CPU, {{.GPU}} on the GPU", map[string]any{"CPU": taken[0], "GPU": taken[1]})
}
