package line_test

import (
	"testing"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// BenchmarkTenCharacters reads a printed word of ten letters, as after the last pen-up: all of it anew, and with the
// answers of what was there before the last stroke.
func BenchmarkTenCharacters(b *testing.B) {
	r := open(b)
	var k ink.Ink
	for _, s := range readInk(b, "words", "words.jsonl.gz") {
		if len(s.Label) == 10 && separate(s) && s.Attributes["style"] == "PRINTED" {
			k = s.Ink
			break
		}
	}
	for _, o := range []line.Options{{}, {Language: line.English}} {
		if _, err := line.Read(b.Context(), k, o, r.AskLine); err != nil { // counts the words of the language
			b.Fatal(err)
		}
		b.Run("whole "+string(o.Language), func(b *testing.B) {
			for b.Loop() {
				result, err := line.Read(b.Context(), k, o, r.AskLine)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(result.Hypotheses), "hypotheses")
			}
		})
		b.Run("last stroke "+string(o.Language), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				o.Cache = line.NewCache()
				if _, err := line.Read(b.Context(), k[:len(k)-1], o, r.AskLine); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				result, err := line.Read(b.Context(), k, o, r.AskLine)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(result.Asked), "asked")
			}
		})
	}
}
