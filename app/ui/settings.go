package ui

import (
	"fmt"
	"os"
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
	linesPreference  = "draw.lines"   // to write on
	textPreference   = "text.size"    // times the usual, one of textSizes
)

var textSizes = []float64{1, 1.2, 1.5}

// enlarge makes the texts of windows that are opened next, and what is around them, as large as is set. The toolkit asks
// the environment first.
func enlarge(a fyne.App) {
	const variable = "FYNE_SCALE"
	size := a.Preferences().Float(textPreference)
	if size > 1 && slices.Contains(textSizes, size) && os.Getenv(variable) == "" {
		_ = os.Setenv(variable, fmt.Sprint(size*float64(max(a.Settings().Scale(), 1))))
	}
}

// deviceChoices are who can be chosen to answer, in the order of the settings.
var deviceChoices = []Choice{ChooseGPU, ChooseCPU, ChooseFaster}

// ChosenDevice is who answered last time by the person's choice; empty where none was made.
func ChosenDevice(a fyne.App) Choice {
	c := Choice(a.Preferences().String(devicePreference))
	if !slices.Contains(deviceChoices, c) {
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
		pad.lined = p.Bool(linesPreference)
		pad.restamp()
	}
	pause := min(max(p.FloatWithFallback(pausePreference, penRests.Seconds()), 0.1), 10)
	w.samples.guided.rest = time.Duration(pause * float64(time.Second))
}

// showSettings lets the window be set. Language and size of text take effect at the next start, all else at once.
func (w *Window) showSettings() {
	number := func(key string, otherwise, low, high, step float64, format string) fyne.CanvasObject {
		value := w.app.Preferences().FloatWithFallback(key, otherwise)
		reading, slider := widget.NewLabel(fmt.Sprintf(format, value)), newSlide(low, high, step)
		slider.SetValue(value)
		slider.OnChanged = func(v float64) {
			reading.SetText(fmt.Sprintf(format, v))
			w.app.Preferences().SetFloat(key, v)
			w.applySettings()
		}
		return container.NewBorder(nil, nil, nil, reading, container.NewThemeOverride(slider, sliderTheme{w.theme}))
	}
	p := w.app.Preferences()
	words := newDropDown([]string{tr("Same as System"), "English", "中文"}, slices.Index(languages, p.String(wordsPreference))+1,
		func(i int) { p.SetString(wordsPreference, append([]string{""}, languages...)[i]) })
	size := newDropDown([]string{tr("Normal"), tr("Large"), tr("Very large")}, max(slices.Index(textSizes, p.Float(textPreference)), 0),
		func(i int) { p.SetFloat(textPreference, textSizes[i]) })
	later := func(name string, o fyne.CanvasObject) *widget.FormItem {
		item := widget.NewFormItem(name, o)
		item.HintText = tr("From the next start on")
		return item
	}
	device := newDropDown([]string{tr("GPU (OpenGL shaders)"), tr("CPU"), tr("The Faster One")}, slices.Index(deviceChoices, w.header.status.Choice),
		func(i int) { w.chooseDevice(deviceChoices[i]) })
	who := widget.NewFormItem(tr("Who answers"), device)
	who.HintText = w.measuredWords()
	form := widget.NewForm(
		later(tr("Language"), words),
		later(tr("Size of text"), size),
		widget.NewFormItem(tr("Width of the pen"), number(penPreference, 1, 0.5, 2, 0.1, "× %.1f")),
		widget.NewFormItem(tr("Next character after a pause of"), number(pausePreference, penRests.Seconds(), 0.4, 4, 0.2, "%.1f s")),
		who)
	w.open(tr("Settings"), form, fyne.NewSize(600, 260))
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
	return tr("Measured last: {{.CPU}} on the CPU, {{.GPU}} on the GPU", map[string]any{"CPU": taken[0], "GPU": taken[1]})
}

// What the window remembers of itself between starts.
const (
	widthPreference  = "window.width"
	heightPreference = "window.height"
	pagePreference   = "window.page"
)

// sizeRests is how long a size must stay before it is remembered: who drags an edge passes
// many.
const sizeRests = 400 * time.Millisecond

// rememberedSize is the window's size of last time, or else the one given.
func rememberedSize(a fyne.App, otherwise fyne.Size) fyne.Size {
	p := a.Preferences()
	size := fyne.NewSize(float32(p.Float(widthPreference)), float32(p.Float(heightPreference)))
	if size.IsZero() {
		return otherwise
	}
	return size.Max(smallest)
}

// rememberedPage is the page that was in front last time, or else the first.
func (w *Window) rememberedPage() int {
	key := w.app.Preferences().String(pagePreference)
	return max(slices.IndexFunc(w.pages, func(p page) bool { return p.key == key }), 0)
}

// resized remembers the size of the window once it rests, but that of the full screen.
func (w *Window) resized() {
	w.resizing.after(sizeRests, func() {
		if !w.win.FullScreen() {
			size := w.win.Canvas().Size()
			w.app.Preferences().SetFloat(widthPreference, float64(size.Width))
			w.app.Preferences().SetFloat(heightPreference, float64(size.Height))
		}
	})
}
