package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
)

// slow is a context of work that takes as long as it takes to ask whether it goes on.
type slow struct{ context.Context }

func (s slow) Err() error {
	time.Sleep(6 * time.Second)
	return s.Context.Err()
}

func TestEvalSaysThatItGoesOn(t *testing.T) {
	model, data := smallModel(t), file(t, "ink.jsonl", inkLines(2, 1, "1", "7"))
	synctest.Test(t, func(t *testing.T) {
		got := commandIn(t, slow{t.Context()}, Window{}, "eval", "--model", model, "--device", "cpu", data)
		got.wantStatus(t, statusOK)
		if !strings.Contains(got.stderr, "still measuring on "+data+" after ") {
			t.Errorf("said %q", got.stderr)
		}
	})
}

func TestPicturesOfLinesSayThatTheyGoOn(t *testing.T) {
	model, err := recognizer.LoadModel(models.Named("characters"))
	must(t, err)
	dev, err := glcompute.Open(glcompute.CPU)
	must(t, err)
	defer dev.Close()
	rec, err := recognizer.New(model, dev)
	must(t, err)
	defer rec.Close()
	content, err := os.Open(picture(t, "seven.png", "7"))
	must(t, err)
	defer content.Close()
	image, err := dataset.DecodePicture(content, true)
	must(t, err)
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetContext(slow{t.Context()})
		cmd.SetOut(io.Discard)
		cmd.SetErr(&stderr)
		for told, all := range map[string][]string{"still reading seven.png after 5s": {"seven.png"}, "still reading seven.png (2 of 4 files read) after 5s": {"a", "b", "seven.png", "c"}} {
			f := recognizeFlags{files: all}
			stderr.Reset()
			must(t, f.answerLines(cmd, rec, []drawing{{file: "seven.png", image: image}}))
			if !strings.Contains(stderr.String(), told) {
				t.Errorf("said %q", stderr.String())
			}
		}
	})
}
