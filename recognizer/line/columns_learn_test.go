//go:build learn

package line_test

import (
	"fmt"
	"hash/fnv"
	"image"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/train"
)

// openWords opens the model that reads words, that of INKSHADE_WORDS where it is set.
func openWords(t testing.TB) *recognizer.Recognizer {
	t.Helper()
	name := os.Getenv("INKSHADE_WORDS")
	if name == "" {
		name = "words"
	}
	return openModel(t, name)
}

// heldOutWords are words of all.jsonl.gz, and numbers, by writers who were held out of the training of words.onnx: those of half
// of them, by chance, for tuning, or of the other half for measuring. INKSHADE_WORDS_DATA names the data of that training.
func heldOutWords(t testing.TB, tuning bool) (samples []dataset.Sample) {
	t.Helper()
	all, _, err := dataset.Read(t.Context(), strings.Fields(os.Getenv("INKSHADE_WORDS_DATA"))...)
	if err != nil {
		t.Fatal(err)
	}
	_, held := train.Split(all, 0.15, 1)
	words := 0
	for _, s := range held {
		h := fnv.New32a()
		h.Write([]byte("half " + s.Writer))
		if len([]rune(s.Label)) > 1 {
			if words++; (h.Sum32()%2 == 0) == tuning {
				samples = append(samples, s)
			}
		}
	}
	// Who is held out depends on the names of folders, too.
	if want := openWords(t).Model().Metadata["held_out_samples"]; want != fmt.Sprint(words) {
		t.Fatalf("of these data %d words are held out, in the training there were %s", words, want)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
	return samples
}

func joinedWord(s dataset.Sample) bool { return !separate(ink.Labelled{Label: s.Label, Ink: s.Ink}) }
func numberOf(s dataset.Sample) bool   { return number(ink.Labelled{Label: s.Label}) }

// TestMeasureColumns prints the table of docs/lines.md.
func TestMeasureColumns(t *testing.T) {
	r := openWords(t)
	samples := heldOutWords(t, os.Getenv("INKSHADE_WORDS_TUNE") != "")
	for _, kind := range []struct {
		name string
		of   func(dataset.Sample) bool
	}{
		{"printed", func(s dataset.Sample) bool { return s.Style == "PRINTED" && !joinedWord(s) && !numberOf(s) }},
		{"joined", func(s dataset.Sample) bool { return joinedWord(s) && !numberOf(s) }},
		{"all", func(s dataset.Sample) bool { return true }},
		{"numbers", numberOf},
	} {
		var of []dataset.Sample
		for _, s := range samples {
			if kind.of(s) {
				of = append(of, s)
			}
		}
		for _, language := range []line.Language{line.None, line.English, line.Digits} {
			if (language == line.Digits) == (kind.name == "numbers") || language == line.None {
				t.Log(kind.name, language, measureColumns(t, r, of, line.Options{Language: language}))
			}
		}
	}
}

// measureColumns tells also how the writers differ, and how many words are parted.
func measureColumns(t testing.TB, r *recognizer.Recognizer, samples []dataset.Sample, o line.Options) string {
	var s score
	of, from := map[string][2]int{}, map[string][2]int{} // errors and characters of writers, and of contributors, which their names begin with
	parted, brier := 0, 0.0
	for part := range slices.Chunk(samples, 64) {
		var inks []ink.Ink
		for _, p := range part {
			inks = append(inks, p.Ink)
		}
		results, err := r.ReadLines(t.Context(), inks, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range results {
			want, text := strings.ToLower(part[i].Label), strings.ToLower(got.Text)
			d := 0
			for _, run := range line.Differences([]rune(want), []rune(text)) {
				d += run.Errors()
			}
			s.lines, s.characters, s.wrong, s.confidence = s.lines+1, s.characters+len([]rune(want)), s.wrong+d, s.confidence+got.Confidence
			right := 0.0
			if d == 0 {
				s.right, right = s.right+1, 1
			}
			brier += (right - got.Confidence) * (right - got.Confidence)
			if !strings.Contains(want, " ") && strings.ContainsAny(text, " \n") {
				parted++
			}
			for name, errors := range map[string]map[string][2]int{part[i].Writer: of, part[i].Writer[:min(len(part[i].Writer), 3)]: from} {
				n := errors[name]
				errors[name] = [2]int{n[0] + d, n[1] + len([]rune(want))}
			}
		}
	}
	return fmt.Sprintf("%s, %d parted, Brier score %.3f; writers with 50 characters: %s; contributors: %s", s, parted, brier/float64(s.lines), spread(of), spread(from))
}

// spread is the mean and the standard deviation of the errors of those with 50 characters and more.
func spread(of map[string][2]int) string {
	mean, square, n := 0.0, 0.0, 0.0
	for _, c := range of {
		if c[1] >= 50 {
			e := 100 * float64(c[0]) / float64(c[1])
			mean, square, n = mean+e, square+e*e, n+1
		}
	}
	mean /= n
	return fmt.Sprintf("%.0f, %.1f ± %.1f %%", n, mean, math.Sqrt(max(square/n-mean*mean, 0)))
}

// TestCalibrateColumns prints the weights of signs of columns.
func TestCalibrateColumns(t *testing.T) {
	r := openWords(t)
	samples := heldOutWords(t, true)
	var all []line.Sample
	for _, s := range samples[:min(1500, len(samples))] {
		all = append(all, line.Sample{Text: s.Label, Ink: s.Ink})
	}
	w, err := line.CalibrateColumns(t.Context(), all, r.Columns)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.2f", w)
}

// TestMeasureNumbers prints what reads numbers with and without signs: columns, or cutting.
func TestMeasureNumbers(t *testing.T) {
	plain := map[bool][]dataset.Sample{}
	for _, s := range slices.Concat(heldOutWords(t, false), heldOutWords(t, true)) {
		if len(s.Label) > 1 && strings.Trim(s.Label, "0123456789-.,/:+$%()") == "" && strings.ContainsAny(s.Label, "0123456789") {
			plain[numberOf(s)] = append(plain[numberOf(s)], s)
		}
	}
	for _, r := range []*recognizer.Recognizer{openWords(t), open(t)} {
		for _, language := range []line.Language{line.None, line.Numbers, line.Digits} {
			for digits, of := range plain {
				if digits || language != line.Digits {
					t.Log("whole", r.ReadsLines(), "digits alone", digits, language, measureColumns(t, r, of, line.Options{Language: language}))
				}
			}
		}
	}
}

// TestMeasureSpaces prints how often two words of one writer, so many of their heights apart, are read as two, without what is known of spacing and with what five such lines tell.
func TestMeasureSpaces(t *testing.T) {
	r := openWords(t)
	of := map[string][]ink.Ink{}
	for _, s := range heldOutWords(t, false) {
		if len(s.Label) > 2 && strings.Trim(s.Label, "abcdefghijklmnopqrstuvwxyz") == "" {
			of[s.Writer] = append(of[s.Writer], s.Ink.Clean())
		}
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(of)), func(name string) bool { return len(of[name]) <= 20 })
	for _, gap := range []float64{0.4, 0.7, 1} {
		rng := rand.New(rand.NewPCG(1, 1))
		var lines []ink.Ink
		for range 120 {
			all := of[names[rng.IntN(len(names))]]
			k, b := slices.Clone(all[rng.IntN(len(all))]), all[rng.IntN(len(all))]
			_, top, right, bottom, _ := k.Bounds()
			left, topB, _, bottomB, _ := b.Bounds()
			dx, dy := right+gap*(bottom-top+bottomB-topB)/2-left, (top+bottom-topB-bottomB)/2
			for _, s := range b {
				s = slices.Clone(s)
				for i := range s {
					s[i].X, s[i].Y = s[i].X+dx, s[i].Y+dy
				}
				k = append(k, s)
			}
			lines = append(lines, k)
		}
		var learned []line.Spacing
		for _, k := range lines[:5] {
			learned = append(learned, line.SpacingsOf(k, "two words")...)
		}
		for i, language := range []line.Language{line.None, line.English, line.None, line.English} {
			o := line.Options{Language: language}
			if i > 1 {
				o.Person.Spacing = line.LearnSpacing(learned)
			}
			results, err := r.ReadLines(t.Context(), lines[5:], o)
			if err != nil {
				t.Fatal(err)
			}
			read, offered := 0, 0
			for _, r := range results {
				for i, a := range r.Alternatives {
					if strings.Count(a.Text, " ") == 1 {
						offered++
						if i == 0 {
							read++
						}
						break
					}
				}
			}
			t.Logf("%g of a word's height, %s, spacing %g: of %d two words are read %d times, offered %d", gap, language, o.Person.Spacing, len(results), read, offered)
		}
	}
}

// TestMeasurePictures prints how words and composed digits are read that are painted: cut into characters, or traced and read by their
// columns, or the surer of both, as recognize --line does.
func TestMeasurePictures(t *testing.T) {
	words, characters := openWords(t), open(t)
	var digits []dataset.Sample
	for _, s := range composed(t, true, 60) {
		digits = append(digits, dataset.Sample{Label: s.Text, Ink: s.Ink})
	}
	for what, samples := range map[string][]dataset.Sample{"words": heldOutWords(t, false)[:150], "digits": digits} {
		for _, height := range []float64{60, 150} {
			for _, language := range []line.Language{line.None, line.English} {
				o := line.Options{Language: language}
				scores := map[string]score{}
				for _, sample := range samples {
					p := painted(sample.Ink, height)
					img, err := ink.LineFromPicture(p)
					if err != nil {
						t.Fatal(err)
					}
					cut, err := line.ReadImage(t.Context(), img, o, characters.AskLine)
					if err != nil {
						t.Fatal(err)
					}
					traced, err := readTraced(t, words, p, o)
					if err != nil {
						t.Fatal(err)
					}
					surer := cut
					if traced.Confidence > cut.Confidence {
						surer = traced
					}
					for how, got := range map[string]*line.Result{"cut": cut, "traced": traced, "the surer": surer} {
						s := scores[how]
						s.add(sample.Label, got)
						scores[how] = s
					}
				}
				for _, how := range slices.Sorted(maps.Keys(scores)) {
					t.Log(what, height, language, how, scores[how])
				}
			}
		}
	}
}

// readTraced reads a picture as recognize --line does.
func readTraced(t *testing.T, words *recognizer.Recognizer, p *image.Gray, o line.Options) (*line.Result, error) {
	img, err := ink.LineFromPicture(p)
	if err != nil {
		return nil, err
	}
	k, err := line.Trace(img)
	if err != nil {
		return nil, err
	}
	all, err := words.ReadLines(t.Context(), []ink.Ink{k}, o)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// TestMeasurePages prints how pages of three lines of three words by one writer are read: as they are, turned by some degrees, and with
// a shadow over a half, or with a sharp edge.
func TestMeasurePages(t *testing.T) {
	words := openWords(t)
	of := map[string][]dataset.Sample{}
	for _, s := range heldOutWords(t, false) {
		of[s.Writer] = append(of[s.Writer], s)
	}
	const rows, columns = 3, 3
	pages := map[string]score{}
	for _, writer := range slices.Sorted(maps.Keys(of)) {
		all := of[writer]
		for page := range min(len(all)/(rows*columns), 3) {
			var k ink.Ink
			var text []string
			y := 0.0
			for row := range rows {
				x, height := 0.0, 0.0
				var line []string
				for i := range columns {
					word := all[(page*rows+row)*columns+i]
					x0, y0, x1, y1, _ := word.Ink.Bounds()
					height = max(height, y1-y0)
					for _, s := range word.Ink {
						at := slices.Clone(s)
						for j := range at {
							at[j].X, at[j].Y = s[j].X-x0+x, s[j].Y-y0+y
						}
						k = append(k, at)
					}
					x += x1 - x0 + 0.8*(y1-y0)
					line = append(line, strings.ToLower(word.Label))
				}
				y += 1.6 * height
				text = append(text, strings.Join(line, " "))
			}
			for what, degrees := range map[string]float64{"level": 0, "turned by 6 degrees": 6, "turned by -4 degrees, half in shadow": -4, "level, a sharp shadow over a part": 0} {
				p := painted(turned(k, degrees), 600)
				for i, v := range p.Pix {
					switch x := float64(i%p.Stride) / float64(p.Stride); {
					case strings.Contains(what, "half"):
						p.Pix[i] = uint8(float64(v)*(1-0.5*x)*0.8 + 20)
					case strings.Contains(what, "sharp") && x+0.2*float64(i)/float64(len(p.Pix)) > 0.6:
						p.Pix[i] = uint8(float64(v)*0.4 + 10)
					}
				}
				got, err := readTraced(t, words, p, line.Options{Language: line.English})
				if err != nil {
					t.Fatal(err)
				}
				s := pages[what]
				s.add(strings.Join(text, "\n"), got)
				pages[what] = s
			}
		}
	}
	for _, what := range slices.Sorted(maps.Keys(pages)) {
		t.Log(what, pages[what])
	}
}

func turned(k ink.Ink, degrees float64) ink.Ink {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	out := make(ink.Ink, len(k))
	for i, s := range k {
		for _, p := range s {
			p.X, p.Y = p.X*cos-p.Y*sin, p.Y*cos+p.X*sin
			out[i] = append(out[i], p)
		}
	}
	return out
}

// TestMeasureOwnWords prints what is read wrong of a person's words before and after twenty others of theirs were confirmed, of those that
// are none of these and of those that are; and where each had been confirmed once before.
func TestMeasureOwnWords(t *testing.T) {
	r := openWords(t)
	of := map[string][]dataset.Sample{}
	for _, s := range heldOutWords(t, os.Getenv("INKSHADE_WORDS_TUNE") != "") {
		if len(s.Label) > 1 && !numberOf(s) {
			of[s.Writer] = append(of[s.Writer], s)
		}
	}
	type part struct {
		samples []dataset.Sample
		own     *line.Words
	}
	kinds := map[string][]part{}
	for _, writer := range slices.Sorted(maps.Keys(of)) {
		all := of[writer]
		if len(all) < 40 {
			continue
		}
		var known []string
		for _, s := range all[:20] {
			known = append(known, s.Label)
		}
		has := func(s dataset.Sample) bool {
			return slices.ContainsFunc(known, func(text string) bool { return strings.EqualFold(text, s.Label) })
		}
		rest := all[20:min(len(all), 80)]
		kinds["others"] = append(kinds["others"], part{slices.DeleteFunc(slices.Clone(rest), has), line.WordsOf(known)})
		kinds["again"] = append(kinds["again"], part{slices.DeleteFunc(slices.Clone(rest), func(s dataset.Sample) bool { return !has(s) }), line.WordsOf(known)})
		for _, s := range rest {
			if !has(s) {
				kinds["each before"] = append(kinds["each before"], part{[]dataset.Sample{s}, line.WordsOf(append(slices.Clone(known), s.Label))})
			}
		}
	}
	for _, language := range []line.Language{line.None, line.English} {
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			var before, after score
			for _, p := range kinds[kind] {
				for s, own := range map[*score]*line.Words{&before: nil, &after: p.own} {
					var inks []ink.Ink
					for _, sample := range p.samples {
						inks = append(inks, sample.Ink)
					}
					results, err := r.ReadLines(t.Context(), inks, line.Options{Language: language, Person: line.Person{Words: own}})
					if err != nil {
						t.Fatal(err)
					}
					for i, got := range results {
						s.add(p.samples[i].Label, got)
					}
				}
			}
			t.Logf("%s, %s: before %s, after %s", language, kind, before, after)
		}
	}
}
