package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/line"
	"inkshade/recognizer/train"
)

// lineFlags are --line and what goes with it.
type lineFlags struct {
	line     bool
	language line.Language
}

func (f *lineFlags) bind(cmd *cobra.Command, usage string) {
	f.language = line.None
	cmd.Flags().BoolVar(&f.line, "line", false, usage)
	bindWord(cmd, &f.language, "language", append([]line.Language{anything}, line.Languages...), "with --line, what is written: any characters, numbers with their signs, English words and numbers, or digits alone")
}

// anything is what the window calls line.None.
const anything = "anything"

// choose takes the model of words where none was named, and that of characters, which measured better, for digits alone.
func (f *lineFlags) choose(cmd *cobra.Command, model *string) error {
	if f.language == anything {
		f.language = line.None
	}
	if !f.line {
		for _, name := range []string{"language", "style", "ignore-case"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s goes with --line", name)
			}
		}
		return nil
	}
	if !cmd.Flags().Changed("model") {
		*model = models.Words
		if f.language == line.Digits {
			*model = models.Named("characters")
		}
	}
	return nil
}

// linesAtOnce is how many lines of strokes are read as one batch.
const linesAtOnce = 64

// lineReport is one line of the JSON of recognize --line.
type lineReport struct {
	File         string               `json:"file"`
	Sample       int                  `json:"sample,omitempty"`
	Label        string               `json:"label,omitempty"`
	Text         string               `json:"text"`
	Confidence   float64              `json:"confidence"`
	Alternatives []line.Alternative   `json:"alternatives" help:"readings of the whole"`
	Characters   []characterReport    `json:"characters"`
	Hypotheses   int                  `json:"hypotheses" help:"how many groups of strokes were asked about, or columns of a line"`
	Device       glcompute.DeviceKind `json:"device"`
}

type characterReport struct {
	Label      string           `json:"label"`
	Confidence float64          `json:"confidence"`
	Unknown    bool             `json:"unknown"`
	Strokes    []int            `json:"strokes" help:"by number from 0"`
	Box        [4]float64       `json:"box"`
	Candidates []line.Candidate `json:"candidates"`
}

// answerLines reads drawings as lines and prints them.
func (f *recognizeFlags) answerLines(cmd *cobra.Command, rec *recognizer.Recognizer, drawings []drawing) error {
	lines := jsonLines(cmd.OutOrStdout())
	doing := func() string { return f.reading(drawings[0].name(), slices.Index(f.files, drawings[0].file)) }
	results, err := finishing(cmd, still(cmd, doing), func() ([]*line.Result, error) {
		return f.readLines(cmd, rec, drawings, line.Options{Language: f.language, Alternatives: f.top})
	})
	if err != nil {
		return err
	}
	together := 0 // shapes of the strokes, asked about as one batch
	for i, r := range results {
		if drawings[i].ink != nil {
			together += r.Asked
		}
	}
	for i, r := range results {
		asked := together
		if drawings[i].ink == nil {
			asked = r.Asked
		}
		if f.json {
			err = lines.Encode(f.lineReport(drawings[i], r, rec.Answering(recognizer.LineBatch(asked)).Kind))
		} else {
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s   %s   %5.1f %%%s\n", drawings[i].name(), shownLine(r.Text), 100*r.Confidence, others(r.Alternatives))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readLines reads strokes as one batch and pictures one by one, in their order. Where the model reads lines whole, pictures are
// traced, and read whole as well: what is surer counts, or alone finds several lines.
func (f *recognizeFlags) readLines(cmd *cobra.Command, rec *recognizer.Recognizer, drawings []drawing, o line.Options) ([]*line.Result, error) {
	results := make([]*line.Result, len(drawings)) // of pictures, cut into characters
	var inks []ink.Ink
	for i, d := range drawings {
		if d.ink != nil {
			inks = append(inks, d.ink)
			continue
		}
		characters, err := f.ofPictures(cmd, rec)
		if err != nil {
			return nil, err
		}
		if results[i], err = line.ReadImage(cmd.Context(), d.image, o, characters.AskLine); err == nil && rec.ReadsLines() {
			var k ink.Ink
			k, err = line.Trace(d.image)
			inks = append(inks, k)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name(), err)
		}
	}
	ofInks, err := rec.ReadLines(cmd.Context(), inks, o)
	if err != nil {
		return nil, err
	}
	for i, cut := range results {
		if drawings[i].ink == nil && !rec.ReadsLines() {
			continue
		}
		if cut == nil || surer(ofInks[0], cut) {
			results[i] = ofInks[0]
		}
		ofInks = ofInks[1:]
	}
	return results, nil
}

// surer tells whether a picture that was traced is better read so than cut: where it alone finds several lines, or is surer of
// each character. Of a whole page no reading is sure, and of a single sign many are.
func surer(traced, cut *line.Result) bool {
	several := func(r *line.Result) bool { return strings.Contains(r.Text, "\n") }
	if several(traced) != several(cut) {
		return several(traced)
	}
	ofEach := func(r *line.Result) float64 { return math.Pow(r.Confidence, 1/float64(max(len(r.Characters), 1))) }
	return ofEach(traced) > ofEach(cut)
}

// ofPictures is what reads pictures, whose strokes nobody saw being drawn: with a model of lines that of characters, on the same
// device.
func (f *recognizeFlags) ofPictures(cmd *cobra.Command, rec *recognizer.Recognizer) (*recognizer.Recognizer, error) {
	if !rec.ReadsLines() {
		return rec, nil
	}
	if f.pictures == nil {
		m, err := loadModel(cmd, models.Named("characters"), inputformat.Format{})
		if err != nil {
			return nil, err
		}
		characters, err := recognizer.New(m, rec.Device())
		if err != nil {
			return nil, err
		}
		if err := characters.SetClasses(f.classes); err != nil {
			characters.Close()
			return nil, err
		}
		f.pictures = characters
	}
	return f.pictures, nil
}

// shownLine is a text as output may show it, several lines as one.
func shownLine(text string) string { return files.Shown(strings.ReplaceAll(text, "\n", " / ")) }

func others(all []line.Alternative) string {
	var b strings.Builder
	for _, a := range all[min(1, len(all)):] {
		fmt.Fprintf(&b, "   %s %4.1f %%", shownLine(a.Text), 100*a.Confidence)
	}
	return b.String()
}

func (f *recognizeFlags) lineReport(d drawing, r *line.Result, device glcompute.DeviceKind) lineReport {
	report := lineReport{
		File: d.file, Sample: d.sample, Label: d.label, Text: r.Text, Confidence: r.Confidence, Alternatives: r.Alternatives,
		Characters: []characterReport{}, Hypotheses: r.Hypotheses, Device: device,
	}
	for _, c := range r.Characters {
		of := characterReport{Label: c.Label, Confidence: c.Confidence, Unknown: c.Unknown, Box: [4]float64{c.Box.MinX, c.Box.MinY, c.Box.MaxX, c.Box.MaxY}}
		for _, p := range c.Parts {
			if n := len(of.Strokes); n == 0 || of.Strokes[n-1] != p.Stroke {
				of.Strokes = append(of.Strokes, p.Stroke)
			}
		}
		of.Candidates = c.Candidates[:min(f.top, len(c.Candidates))]
		report.Characters = append(report.Characters, of)
	}
	return report
}

// lineEvaluation is the JSON of eval --line.
type lineEvaluation struct {
	Lines                 int                  `json:"lines"`
	LineErrors            int                  `json:"line_errors"`
	LineErrorPercent      float64              `json:"line_error_percent"`
	Words                 int                  `json:"words"`
	WordErrors            int                  `json:"word_errors"`
	WordErrorPercent      float64              `json:"word_error_percent"`
	Characters            int                  `json:"characters"`
	CharacterErrors       int                  `json:"character_errors"`
	CharacterErrorPercent float64              `json:"character_error_percent" help:"edit distance"`
	Confusions            []train.Confusion    `json:"confusions" help:"runs of as many characters"`
	Cuts                  []train.Confusion    `json:"cuts" help:"runs taken for more or fewer"`
	Language              line.Language        `json:"language"`
	Model                 string               `json:"model"`
	Device                glcompute.DeviceKind `json:"device"`
	DeviceName            string               `json:"device_name"`
	Fallback              string               `json:"device_fallback,omitempty"`
	CharactersPerSecond   float64              `json:"characters_per_second"`
	Skipped               int                  `json:"skipped" help:"without strokes or label"`

	confused, cut map[train.Confusion]int
}

func (f *evalFlags) evalLines(cmd *cobra.Command) error {
	rec, dev, err := f.open(cmd, f.classes)
	if err != nil {
		return err
	}
	defer dev.Close()
	defer rec.Close()
	samples, blank, err := readSamples(cmd, f.data)
	if err == nil {
		samples, err = heldOut(samples, nil, f.heldOut, f.seed)
	}
	if err != nil {
		return err
	}
	r := lineEvaluation{Language: f.language, Model: f.model, Skipped: blank, confused: map[train.Confusion]int{}, cut: map[train.Confusion]int{}}
	var lines []dataset.Sample
	for _, s := range samples {
		err := line.Check(s.Ink)
		switch {
		case s.Label == "" || s.Ink == nil:
			r.Skipped++
		case err != nil:
			r.Skipped++
			cmd.PrintErrf("inkshade: %s: the line %q is left out: %v\n", files.Shown(s.Source), s.Label, err)
		case f.takes(s) && !(f.noContext && s.Context):
			lines = append(lines, s)
		}
	}
	if len(lines) == 0 {
		return errors.New("the data hold no transcribed lines of strokes that take part; name others")
	}
	var took time.Duration
	asked := 0 // of the largest batch
	for part := range slices.Chunk(lines, linesAtOnce) {
		inks := make([]ink.Ink, len(part))
		for i, s := range part {
			inks[i] = s.Ink
		}
		begin := clock.Now()
		results, err := finishing(cmd, stillReading(cmd, part[0].Source), func() ([]*line.Result, error) {
			return rec.ReadLines(cmd.Context(), inks, line.Options{Language: f.language})
		})
		if err != nil {
			return err
		}
		took += clock.Since(begin)
		together := 0
		for i, got := range results {
			together += got.Asked
			r.count(part[i].Label, got.Text, f.ignoreCase)
		}
		asked = max(asked, together)
	}
	info := rec.Answering(recognizer.LineBatch(asked))
	r.Device, r.DeviceName, r.Fallback = info.Kind, info.Name, info.Fallback.String()
	r.CharactersPerSecond = float64(r.Characters) / took.Seconds()
	r.LineErrorPercent = percent(r.LineErrors, r.Lines)
	r.WordErrorPercent = percent(r.WordErrors, r.Words)
	r.CharacterErrorPercent = percent(r.CharacterErrors, r.Characters)
	r.Confusions, r.Cuts = train.Worst(r.confused, f.confusions), train.Worst(r.cut, f.confusions)
	return show(cmd, r, linesWords)
}

// takes tells whether a line is of the classes asked for and of the style: one that the data state, or joined, of fewer strokes
// than letters and digits.
func (f *evalFlags) takes(s dataset.Sample) bool {
	asked := strings.Join(f.classes, "")
	if asked != "" && strings.ContainsFunc(s.Label, func(c rune) bool { return !unicode.IsSpace(c) && !strings.ContainsRune(asked, c) }) {
		return false
	}
	if !strings.EqualFold(f.style, "joined") {
		return f.style == "" || strings.EqualFold(s.Style, f.style)
	}
	n := 0
	for _, c := range s.Label {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			n++
		}
	}
	return len(s.Ink) < n
}

// count compares a line that was read with its text; lines and spaces between words are alike.
func (r *lineEvaluation) count(want, got string, ignoreCase bool) {
	if ignoreCase {
		want, got = strings.ToLower(want), strings.ToLower(got)
	}
	wantWords, gotWords := strings.Fields(want), strings.Fields(got)
	a, b := []rune(strings.Join(wantWords, " ")), []rune(strings.Join(gotWords, " "))
	r.Lines++
	r.Words += len(wantWords)
	r.Characters += len(a)
	for _, d := range line.Differences(wantWords, gotWords) {
		r.WordErrors += max(len(d.Want), min(1, len(d.Got)))
	}
	wrong := 0
	for _, d := range line.Differences(a, b) {
		wrong += d.Errors()
		kind := r.cut
		if len(d.Want) == len(d.Got) {
			kind = r.confused
		}
		kind[train.Confusion{Want: string(d.Want), Got: string(d.Got)}]++
	}
	r.CharacterErrors += wrong
	if wrong > 0 {
		r.LineErrors++
	}
}

const linesWords = `model         {{shown .Model}}, language {{.Language}}
device        {{.Device}}, {{.DeviceName}}
lines         {{.Lines}}
{{with .Skipped}}left out      {{.}} without strokes that can be read, or without a label
{{end}}characters    {{printf "%6.2f %% wrong   (%d of %d)" .CharacterErrorPercent .CharacterErrors .Characters}}
words         {{printf "%6.2f %% wrong   (%d of %d)" .WordErrorPercent .WordErrors .Words}}
lines         {{printf "%6.2f %% wrong   (%d)" .LineErrorPercent .LineErrors}}
speed         {{printf "%.0f" .CharactersPerSecond}} characters per second
{{confusions "confusions" .Confusions}}{{confusions "cuts" .Cuts}}`

// shownPart shows a space, and what was left out or put in, as such.
func shownPart(text string) string {
	switch text {
	case "":
		return "nothing"
	case " ":
		return "a space"
	}
	return files.Shown(text)
}
