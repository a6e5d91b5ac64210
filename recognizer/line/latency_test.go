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

// BenchmarkColumns reads a joined word of ten letters, and a line of six of them, whole.
func BenchmarkColumns(b *testing.B) {
	r := openModel(b, "words")
	var word, text ink.Ink
	for _, s := range readInk(b, "words", "words.jsonl.gz") {
		if len(s.Label) == 10 && len(s.Ink) < 5 {
			word = s.Ink
			break
		}
	}
	left, _, right, _, _ := word.Bounds()
	for i := range 6 {
		text = append(text, word.Map(func(p ink.Point) ink.Point {
			p.X += 1.1 * float64(i) * (right - left)
			return p
		})...)
	}
	for name, k := range map[string]ink.Ink{"word": word, "line": text} {
		for _, language := range []line.Language{line.None, line.English} {
			b.Run(name+" "+string(language), func(b *testing.B) {
				for b.Loop() {
					if _, err := r.ReadLines(b.Context(), []ink.Ink{k}, line.Options{Language: language}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
