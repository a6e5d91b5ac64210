// Package setting is what a person can set and what the window remembers of itself between starts: a line for each.
package setting

import (
	"math"
	"slices"
)

// The settings, and where they count.
var (
	Device      = Setting[string]{"device", "", among("gpu", "cpu", "faster")}    // who answers; empty leaves it to the program
	Appearance  = Setting[string]{"appearance", "system", among("light", "dark")} // of the window
	Language    = Setting[string]{"window.language", "", nil}                     // of its texts; empty for the system's
	TextSize    = Setting[float64]{"text.size", 1, among(TextSizes...)}           // times the usual
	PenWidth    = Setting[float64]{"pen", 1, within(0.25, 4)}                     // times the usual, on every paper
	GuidedPause = Setting[float64]{"guided.pause", 1.2, within(0.1, 10)}          // seconds, after which the next sample is asked for
	DrawPause   = Setting[float64]{"draw.pause", 0, within(0, 10)}                // seconds, after which a stroke begins another drawing; 0 for never
	Ruled       = Setting[bool]{"draw.lines", false, nil}                         // lines to write on, on every paper
	LineMode    = Setting[bool]{"draw.line", false, nil}                          // of the Draw page: a line, else one character
	LineOf      = Setting[string]{"draw.language", "", nil}                       // what is written on a line, a line.Language
	Writer      = Setting[string]{"writer", "", nil}                              // who writes now; empty for nobody in particular
	Collection  = Setting[string]{"collection", "", nil}                          // open last
	Page        = Setting[string]{"window.page", "", nil}                         // in front last, by its key
	Width       = Setting[float64]{"window.width", 0, within(0, math.MaxInt16)}   // of the window; 0 while none is remembered
	Height      = Setting[float64]{"window.height", 0, within(0, math.MaxInt16)}  // of the window

	PanelLanguage   = Setting[string]{"panel.language", "", nil}                             // what is written there, a line.Language
	PanelModel      = Setting[string]{"panel.model", "characters-cnn", nil}                  // that reads there, by its name
	PanelSigns      = Setting[bool]{"panel.signs", false, nil}                               // LaTeX symbols are typed as signs, else as commands
	PanelTyping     = Setting[string]{"panel.typing", TypingTimes[1], among(TypingTimes...)} // when it is typed
	PanelPause      = Setting[float64]{"panel.pause", 1.2, within(0.1, 10)}                  // seconds, after which it is typed where that is chosen
	PanelPermission = Setting[string]{"panel.permission", "", nil}                           // to type, a word of the desktop's own
)

// TypingTimes are when the panel types what was written.
var TypingTimes = []string{"at once", "after a pause", "at Enter"}

// TextSizes are those that can be chosen.
var TextSizes = []float64{1, 1.2, 1.5}

// Preferences keep values between starts, as those of a fyne.App do.
type Preferences interface {
	StringWithFallback(key, fallback string) string
	FloatWithFallback(key string, fallback float64) float64
	BoolWithFallback(key string, fallback bool) bool
	SetString(key, value string)
	SetFloat(key string, value float64)
	SetBool(key string, value bool)
}

// Setting is a value with a name and a default.
type Setting[T string | float64 | bool] struct {
	Key     string
	Default T
	fit     func(value, otherwise T) T // makes what was kept a value that counts; nil where each does
}

// Get gives what was set, or else the default.
func (s Setting[T]) Get(p Preferences) T {
	var kept any
	switch otherwise := any(s.Default).(type) {
	case string:
		kept = p.StringWithFallback(s.Key, otherwise)
	case float64:
		kept = p.FloatWithFallback(s.Key, otherwise)
	case bool:
		kept = p.BoolWithFallback(s.Key, otherwise)
	}
	if s.fit == nil {
		return kept.(T)
	}
	return s.fit(kept.(T), s.Default)
}

// Set keeps a value.
func (s Setting[T]) Set(p Preferences, value T) {
	switch v := any(value).(type) {
	case string:
		p.SetString(s.Key, v)
	case float64:
		p.SetFloat(s.Key, v)
	case bool:
		p.SetBool(s.Key, v)
	}
}

func among[T comparable](some ...T) func(value, otherwise T) T {
	return func(value, otherwise T) T {
		if slices.Contains(some, value) {
			return value
		}
		return otherwise
	}
}

func within(low, high float64) func(value, otherwise float64) float64 {
	return func(value, _ float64) float64 { return min(max(value, low), high) }
}
