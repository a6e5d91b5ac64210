package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

type recognitionReport struct {
	File        string                 `json:"file"`
	Sample      int                    `json:"sample,omitempty" help:"in ink files, counted from 1"`
	Label       string                 `json:"label,omitempty" help:"what the ink file says it is"`
	Answer      string                 `json:"answer"`
	Probability float64                `json:"probability"`
	Unknown     bool                   `json:"unknown"`
	Candidates  []recognizer.Candidate `json:"candidates" help:"best first, as many as --top"`
	Device      glcompute.DeviceKind   `json:"device" help:"the one that --device auto chose or, while it is still measuring, let do the last of these; mixed where two shared"`
}

type recognizeFlags struct {
	modelFlags
	lineFlags
	json    bool
	top     int
	classes []string
	files   []string
	width   int // of their names

	pictures *recognizer.Recognizer // that reads lines in pictures; nil until one is asked for
}

func newRecognize() *cobra.Command {
	f := recognizeFlags{modelFlags: modelFlags{device: deviceFlag{mixed: true}}}
	cmd := &cobra.Command{
		Use:   "recognize FILE...",
		Short: "Say what is written in pictures and ink files",
		Long: `Recognises one character in each picture (PNG, JPEG, GIF, WebP; dark on light or
light on dark, any size) and in each sample of an ink file (` + ink.Names() + `;
plain or gzip'ed); - reads one file from standard input. Prints a line for each: file,
answer, probability, next candidates; the third sample of an ink file is called FILE#3. Of
a photograph the table around the page, a frame and the lines of a form are left out.

A file that cannot be read gets a sentence on standard error; the others are answered, and
the exit status is 1.

JSON: one object a line with the keys
` + keys(recognitionReport{}) + `

With --line each sample of an ink file is a number, a word or several lines of words, and so
is each picture. Unless another model is named, words reads them, joined ones too, characters digits alone, and both
read pictures, of which what is surer counts. --language english knows words,
--language digits reads digits alone. JSON then: the keys
` + keys(lineReport{}) + `

--device mixed splits many drawings between the processor and shaders in proportion
to their measured speed, where that is faster than the faster of them alone, and says so on
standard error; --split 0.6 gives the processor six tenths without measuring.`,
		Example: `  inkshade recognize eight.png
  inkshade recognize --device compute --json drawings.jsonl.gz
  inkshade recognize --line --language english words.inkml
  curl -s https://example.org/eight.png | inkshade recognize -`,
		Args: atLeastOne("the name of a picture or an ink file"),
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if f.top < 1 {
				return fmt.Errorf("--top is %d, but at least one candidate is needed", f.top)
			}
			return cmp.Or(f.device.check(cmd), f.choose(cmd, &f.model))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.files = args
			return f.run(cmd)
		},
	}
	f.modelFlags.bind(cmd)
	f.lineFlags.bind(cmd, "read many characters in each picture and each sample")
	cmd.Flags().BoolVar(&f.json, "json", false, "write a JSON object a line")
	cmd.Flags().IntVar(&f.top, "top", 4, "how many candidates to show")
	bindLabels(cmd, "classes", &f.classes, "answer "+classesUsage)
	return cmd
}

func (f *recognizeFlags) run(cmd *cobra.Command) error {
	rec, dev, err := f.open(cmd, f.classes)
	if err != nil {
		return err
	}
	defer dev.Close()
	defer rec.Close()
	if rec.ReadsLines() && !f.line {
		return f.errReadsLines()
	}
	defer func() {
		if f.pictures != nil {
			f.pictures.Close()
		}
	}()
	for _, file := range f.files {
		f.width = max(f.width, utf8.RuneCountInString(files.Shown(file)))
	}
	failures, most := 0, 0
	err = f.eachPart(cmd, func(p part) error {
		for _, wrong := range p.errors {
			failures++
			cmd.PrintErrf("inkshade: %v\n", wrong)
		}
		most = max(most, len(p.drawings))
		switch {
		case len(p.drawings) == 0:
			return nil
		case f.line:
			return f.answerLines(cmd, rec, p.drawings)
		}
		return f.answer(cmd.OutOrStdout(), rec, p.drawings)
	})
	if err != nil {
		return err
	}
	if c := rec.Answering(most).Choice; c != nil && f.device.kind == glcompute.Mixed {
		cmd.PrintErrf("inkshade: %s\n", c)
	}
	if failures > 0 {
		return errTold
	}
	return nil
}

// atOnce is how many drawings are answered together at most: the next are read meanwhile, so that memory does
// not grow with their number.
const atOnce = 1024

// part is some of the drawings, and what could not be read beside them.
type part struct {
	drawings []drawing
	errors   []error
}

// reading says which file is being read, and of many how many were.
func (f *recognizeFlags) reading(name string, i int) string {
	if len(f.files) > 1 {
		name = fmt.Sprintf("%s (%d of %d files read)", name, i, len(f.files))
	}
	return "reading " + name
}

// eachPart reads the files, one part ahead of what is done with them. No part holds two pictures of lines, which take long, and of
// other pictures those that come while the ones before are answered.
func (f *recognizeFlags) eachPart(cmd *cobra.Command, do func(part) error) error {
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	most := atOnce
	if f.line {
		most = linesAtOnce
	}
	var at atomic.Int64 // the file that is being read
	read := make(chan *part)
	go func() {
		defer close(read)
		p := &part{}
		send := func() error {
			select {
			case read <- p:
				p = &part{}
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		for i, file := range f.files {
			at.Store(int64(i))
			unreadable := readDrawings(file, cmd.InOrStdin(), f.line, func(d drawing, without error) error {
				if without != nil {
					p.errors = append(p.errors, without)
				} else {
					p.drawings = append(p.drawings, d)
				}
				picture := without == nil && d.ink == nil
				if len(p.drawings) == most || f.line && picture {
					return send()
				}
				if picture {
					select {
					case read <- p:
						p = &part{}
					default:
					}
				}
				return nil
			})
			if unreadable != nil {
				p.errors = append(p.errors, unreadable)
			}
		}
		_ = send() // where nobody listens there is nobody to tell
	}()
	for {
		doing := func() string { return f.reading(files.Shown(f.files[at.Load()]), int(at.Load())) }
		p, err := reading(cmd, still(cmd, doing), func() (*part, error) { return <-read, nil })
		if err != nil || p == nil { // all were read
			return err
		}
		if err := do(*p); err != nil {
			return err
		}
	}
}

func (f *recognizeFlags) answer(w io.Writer, rec *recognizer.Recognizer, drawings []drawing) error {
	for _, d := range drawings {
		f.width = max(f.width, utf8.RuneCountInString(d.name()))
	}
	lines := jsonLines(w)
	inks, pictures := make([]ink.Ink, len(drawings)), make([]ink.Image, len(drawings))
	for i, d := range drawings {
		inks[i], pictures[i] = d.ink, d.image
	}
	answers, err := rec.RecognizeMany(inks, pictures)
	if err != nil {
		return err
	}
	kind := rec.Answering(len(drawings)).Kind
	for i, a := range answers {
		if f.json {
			err = lines.Encode(f.report(drawings[i], a, kind))
		} else {
			err = f.print(w, drawings[i], a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *recognizeFlags) report(d drawing, a recognizer.Answer, device glcompute.DeviceKind) recognitionReport {
	best := a.Candidates[0]
	return recognitionReport{
		File: d.file, Sample: d.sample, Label: d.label, Device: device,
		Answer: best.Label, Probability: best.Probability, Unknown: a.Unknown,
		Candidates: a.Candidates[:min(f.top, len(a.Candidates))],
	}
}

func (f *recognizeFlags) print(w io.Writer, d drawing, a recognizer.Answer) error {
	best := a.Candidates[0]
	var next strings.Builder
	for _, c := range a.Candidates[1:max(1, min(f.top, len(a.Candidates)))] {
		fmt.Fprintf(&next, "   %s %4.1f %%", files.Shown(c.Label), 100*c.Probability)
	}
	if a.Unknown {
		next.WriteString("   (like nothing the model knows)")
	}
	_, err := fmt.Fprintf(w, "%-*s   %s   %5.1f %%  %s\n", f.width, d.name(), files.Shown(best.Label), 100*best.Probability, next.String())
	return err
}
