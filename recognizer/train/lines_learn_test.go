//go:build learn

package train_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"os/signal"
	"strconv"
	"testing"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/train"
)

func env(name string, usual float64) float64 {
	if v, err := strconv.ParseFloat(os.Getenv(name), 64); err == nil {
		return v
	}
	return usual
}

func unseen(writer string) bool {
	h := fnv.New32a()
	h.Write([]byte(writer))
	return h.Sum32()%3 == 0
}

// words reads a file that holds more than ink.Read takes at once.
func words(path string) (all []ink.Labelled, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReader(unzipped)
	for end := false; !end; {
		var part bytes.Buffer
		for part.Len() < 20<<20 && !end {
			line, err := in.ReadBytes('\n')
			end = err != nil
			part.Write(line)
		}
		some, err := ink.Read(&part)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func TestLearnLines(t *testing.T) {
	all, err := words(datatest.Require(t, "words", "all.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	var rest, held []dataset.Sample
	limit, heldLimit := int(env("LIMIT", 1e9)), int(env("HELD", 1000))
	for i, s := range all {
		sample := dataset.Sample{Label: s.Label, Writer: s.Writer, Ink: s.Ink}
		if unseen(s.Writer) {
			if i%16 == 0 && len(held) < heldLimit {
				held = append(held, sample)
			}
		} else if len(rest) < limit {
			rest = append(rest, sample)
		}
	}
	if env("COMPOSED", 0.25) > 0 {
		for _, name := range []string{"digits", "upper", "lower", "symbols"} {
			letters, err := words(datatest.Require(t, "unipen", name+".jsonl.gz"))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range letters {
				if !unseen(s.Writer) {
					rest = append(rest, dataset.Sample{Label: s.Label, Writer: s.Writer, Ink: s.Ink})
				}
			}
		}
	}
	fmt.Println(len(rest), "samples,", len(held), "held out")
	cfg := train.Default()
	name := os.Getenv("NETWORK")
	if name == "" {
		name = "words"
	}
	if cfg.Network, err = nn.LoadArchitecture(name); err != nil {
		t.Fatal(err)
	}
	cfg.Preprocessing = nn.LineMaps
	cfg.Lines = dataset.DefaultLineDistortion()
	cfg.Optimizer = train.Adam
	cfg.Rate = env("RATE", 0.002)
	cfg.Batch = int(env("BATCH", 16))
	cfg.Epochs = int(env("EPOCHS", 10))
	cfg.WarmUp = env("WARM", 0.3)
	cfg.Decay = env("DECAY", 0)
	cfg.Average = env("AVERAGE", 0.998)
	cfg.Workers = 1
	cfg.ReportEvery = int(env("EVERY", 50))
	cfg.HoldOut = 0
	cfg.Held = held
	cfg.Composed = env("COMPOSED", 0.25)
	cfg.Checkpoint = os.Getenv("CHECKPOINT")
	_, statErr := os.Stat(cfg.Checkpoint)
	cfg.Continue = cfg.Checkpoint != "" && statErr == nil
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	begin := time.Now()
	r, err := train.Run(ctx, dev, rest, cfg, func(e train.Event) {
		line := fmt.Sprintf("%s %v epoch %d step %d/%d loss %.3f sure %.3f, %.1f a second", time.Now().Format("15:04:05"), time.Since(begin).Round(time.Second), e.Epoch, e.Step, e.Steps, e.Loss, e.Accuracy, e.SamplesPerSecond)
		if h := e.HoldOut; h != nil {
			line += fmt.Sprintf(" | held out: %d of %d wrong, characters %.2f %%, best %t", h.Errors, h.Samples, 100*float64(h.WrongCharacters)/float64(h.Characters), e.Best)
		}
		fmt.Println(line)
	})
	if r == nil {
		t.Fatal(err)
	}
	fmt.Println(err)
	if out := os.Getenv("OUT"); out != "" {
		w, err := os.Create(out)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if err := onnx.Write(w, r.Model); err != nil {
			t.Fatal(err)
		}
	}
}
