package ui

import (
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// What the person set, as it is remembered between starts.
const (
	devicePreference = "device"
	penPreference    = "pen"          // times the usual width
	pausePreference  = "guided.pause" // seconds
)

// ChosenDevice is who answered last time by the person's choice; empty where none was made.
func ChosenDevice(a fyne.App) Choice {
	c := Choice(a.Preferences().String(devicePreference))
	if !slices.Contains([]Choice{ChooseGPU, ChooseCPU, ChooseFaster}, c) {
		return ""
	}
	return c
}

// chooseDevice lets somebody else answer, also after the next start.
func (w *Window) chooseDevice(c Choice) {
	w.app.Preferences().SetString(devicePreference, string(c))
	w.worker.choose(c)
}

// applySettings brings pens and pauses in step with what is set.
func (w *Window) applySettings() {
	p := w.app.Preferences()
	for _, pad := range []*pad{w.draw.pad, w.draw.line.pad, w.models.inside.pad, w.samples.guided.pad} {
		pad.width = min(max(p.FloatWithFallback(penPreference, 1), 0.25), 4)
		pad.restamp()
	}
	pause := min(max(p.FloatWithFallback(pausePreference, penRests.Seconds()), 0.1), 10)
	w.samples.guided.rest = time.Duration(pause * float64(time.Second))
}

// showSettings lets pen, pause and device be set; each takes effect at once.
func (w *Window) showSettings() {
	number := func(key string, otherwise, low, high, step float64, format string) fyne.CanvasObject {
		value := w.app.Preferences().FloatWithFallback(key, otherwise)
		reading, slider := widget.NewLabel(fmt.Sprintf(format, value)), widget.NewSlider(low, high)
		slider.Step = step
		slider.SetValue(value)
		slider.OnChanged = func(v float64) {
			reading.SetText(fmt.Sprintf(format, v))
			w.app.Preferences().SetFloat(key, v)
			w.applySettings()
		}
		return container.NewBorder(nil, nil, nil, reading, container.NewThemeOverride(slider, sliderTheme{w.theme}))
	}
	choices := []Choice{ChooseGPU, ChooseCPU, ChooseFaster}
	device := widget.NewSelect([]string{tr("GPU (OpenGL shaders)"), tr("CPU"), tr("The Faster One")}, nil)
	device.SetSelectedIndex(slices.Index(choices, w.header.status.Choice))
	device.OnChanged = func(string) { w.chooseDevice(choices[device.SelectedIndex()]) }
	who := widget.NewFormItem(tr("Who answers"), device)
	who.HintText = w.measuredWords()
	form := widget.NewForm(
		widget.NewFormItem(tr("Width of the pen"), number(penPreference, 1, 0.5, 2, 0.1, "× %.1f")),
		widget.NewFormItem(tr("A drawing is taken after"), number(pausePreference, penRests.Seconds(), 0.4, 4, 0.2, "%.1f s")),
		who)
	w.open(tr("Settings"), form, fyne.NewSize(480, 260))
}

// measuredWords say how long each device took for the last drawing that was measured.
func (w *Window) measuredWords() string {
	var taken [2]string
	for i, side := range []Side{CPU, GPU} {
		t := w.draw.times.lines[side].taken
		if t == nil {
			return tr("Draw something, and both are measured.")
		}
		taken[i] = duration(t.timing.Total())
	}
	return tr("One drawing: {{.CPU}} on the CPU, {{.GPU}} on the GPU", map[string]any{"CPU": taken[0], "GPU": taken[1]})
}
