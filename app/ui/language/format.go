package language

import (
	"fmt"
	"strings"
	"time"
)

// Number writes numbers with a decimal comma where the language has it.
func Number(format string, values ...any) string {
	text := fmt.Sprintf(format, values...)
	switch Spoken() {
	case "de", "es", "fr":
		return strings.ReplaceAll(text, ".", ",")
	}
	return text
}

// Percent writes a probability with one decimal and without pretending certainty.
func Percent(p float64) string {
	switch {
	case p >= 0.9995:
		return Number("> 99.9 %%")
	case p < 0.0005:
		return Number("< 0.1 %%")
	}
	return Number("%.1f %%", 100*p)
}

// Duration writes a time in microseconds below a millisecond, else in milliseconds.
func Duration(d time.Duration) string {
	if d < time.Millisecond {
		return Microseconds(d) + " µs"
	}
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return Number("%.0f ms", ms)
	case ms >= 10:
		return Number("%.1f ms", ms)
	}
	return Number("%.2f ms", ms)
}

// Microseconds writes a time in µs without the unit, with a decimal below ten.
func Microseconds(d time.Duration) string {
	us := float64(d) / float64(time.Microsecond)
	if us < 9.95 {
		return Number("%.1f", us)
	}
	return Number("%.0f", us)
}

// OneOrMany names a number of things; one is the text for exactly one of them.
func OneOrMany(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func Counted(n int) map[string]any { return map[string]any{"Count": n} }

func DrawingCount(n int) string {
	return OneOrMany(n, Tr("1 drawing"), Tr("{{.Count}} drawings", Counted(n)))
}

// Few lists labels, the first of many.
func Few(labels []string) string {
	const most = 12
	if len(labels) <= most {
		return strings.Join(labels, " ")
	}
	return Tr("{{.Labels}} and {{.Count}} more", map[string]any{"Labels": strings.Join(labels[:most], " "), "Count": len(labels) - most})
}

// Day writes a date and the time of day.
func Day(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
