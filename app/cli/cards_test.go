package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"inkshade/models"
	"inkshade/recognizer/dataset/datatest"
)

var (
	inBackticks = regexp.MustCompile("`([^`]+)`")
	trainedOn   = regexp.MustCompile(`(?s)inkshade train --data (.*?) --`)
)

// The error tables of the model cards must hold what their commands print.
func TestCardsTellTheErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: it evaluates all shipped models on the data sets")
	}
	data := datatest.Require(t)
	for _, name := range models.Names() {
		card, err := models.Card(name)
		if err != nil {
			t.Fatal(err)
		}
		files := strings.Fields(strings.ReplaceAll(trainedOn.FindStringSubmatch(string(card))[1], "\\\n", " "))
		column, ten, at, before, rows := -1, -1, -1, "", 0
		for line := range strings.Lines(string(card)) {
			cells := strings.Split(strings.TrimSpace(line), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			if i := slices.Index(cells, "command"); i >= 0 {
				column, ten, at = slices.Index(cells, "error"), slices.Index(cells, "not among the first ten"), i
				continue
			}
			if at < 0 || len(cells) <= at || !strings.Contains(cells[at], "`") {
				continue
			}
			said := inBackticks.FindStringSubmatch(cells[at])[1]
			if strings.HasPrefix(cells[at], "the same with") {
				flag, _, _ := strings.Cut(said, " ")
				said = regexp.MustCompile(flag+" [^ ]+").ReplaceAllString(before, "") + " " + said
			}
			before = said
			rows++
			t.Run(fmt.Sprint(name, " ", rows), func(t *testing.T) {
				t.Chdir(data)
				args := strings.Fields(strings.Replace(said, "DATA", strings.Join(files, " "), 1))[1:]
				if !strings.Contains(said, " --model "+name+" ") {
					t.Errorf("%s does not name the model", said)
				}
				got := command(t, append(args, "--json")...)
				got.wantStatus(t, statusOK)
				var report struct {
					Samples int
					Percent float64 `json:"error_percent"`
					Top10   float64 `json:"top10_error_percent"`
				}
				if err := json.Unmarshal([]byte(got.stdout), &report); err != nil {
					t.Fatal(err)
				}
				if text := fmt.Sprintf("%.2f %%", report.Percent); text != cells[column] {
					t.Errorf("%s gives %s on %d samples, the card says %s", said, text, report.Samples, cells[column])
				}
				if text := fmt.Sprintf("%.2f %%", report.Top10); ten >= 0 && text != cells[ten] {
					t.Errorf("%s gives %s not among ten, the card says %s", said, text, cells[ten])
				}
			})
		}
		if rows == 0 {
			t.Errorf("the card of %s has no table of errors", name)
		}
	}
}
