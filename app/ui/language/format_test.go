package language

import (
	"strings"
	"testing"
	"time"

	"inkshade/glcompute/message"
	"inkshade/recognizer/line"
)

func TestPercentPretendsNoCertainty(t *testing.T) {
	for p, want := range map[float64]string{
		1: "> 99.9 %", 0.99951: "> 99.9 %", 0.9994: "99.9 %", 0.5: "50.0 %", 0.0006: "0.1 %", 0.0004: "< 0.1 %", 0: "< 0.1 %",
	} {
		if got := Percent(p); got != want {
			t.Errorf("percent(%v) = %q, want %q", p, got, want)
		}
	}
}

// Numbers have a decimal comma where people write one.
func TestDecimalsFollowTheLanguage(t *testing.T) {
	defer Use("en")
	for code, want := range map[string]string{"de": "15,5 %; 1,32\u00a0ms; 0,4\u00a0µs", "fr": "15,5 %; 1,32\u00a0ms; 0,4\u00a0µs", "ja": "15.5 %; 1.32\u00a0ms; 0.4\u00a0µs"} {
		Use(code)
		if got := Percent(0.155) + "; " + Duration(1320*time.Microsecond) + "; " + Duration(440*time.Nanosecond); got != want {
			t.Errorf("%s: %q", code, got)
		}
		if got, comma := Said(message.Text("%.2f", 0.5)), code != "ja"; strings.Contains(got, ",") != comma {
			t.Errorf("%s: a message says %q", code, got)
		}
	}
}

// Who has chosen nothing is taken to write English where the system speaks it.
func TestWrittenFollowsTheSystem(t *testing.T) {
	for _, c := range []struct {
		chosen, system string
		want           line.Language
	}{
		{"", "en-GB", line.English},
		{"", "de-DE", line.None},
		{"", "it-IT", line.None},
		{"", "und", line.None},
		{"none", "en-US", line.None},
		{"numbers", "en-US", line.Numbers},
		{"klingon", "en-US", line.None},
	} {
		if got := line.Languages[Written(c.chosen, c.system)]; got != c.want {
			t.Errorf("chosen %q, system %s: %s, want %s", c.chosen, c.system, got, c.want)
		}
	}
}

func TestDurationChoosesItsUnit(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.0\u00a0µs", 440 * time.Nanosecond: "0.4\u00a0µs", 9960 * time.Nanosecond: "10\u00a0µs", 38400 * time.Nanosecond: "38\u00a0µs",
		1320 * time.Microsecond: "1.32\u00a0ms", 13200 * time.Microsecond: "13.2\u00a0ms", 1500 * time.Millisecond: "1500\u00a0ms",
	} {
		if got := Duration(d); got != want {
			t.Errorf("duration(%v) = %q, want %q", d, got, want)
		}
	}
}
