package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"inkshade"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// provenance is what is known about how a model came about beside what training itself
// writes into the metadata.
type provenance struct {
	flags   *trainFlags
	result  *train.Result
	samples []dataset.Sample
	test    *train.Evaluation
}

// write puts it into the metadata. arguments is the command line of this process.
func (p provenance) write(m *nn.Model, arguments []string) {
	name := strings.TrimSuffix(filepath.Base(p.flags.out), filepath.Ext(p.flags.out))
	m.Metadata["name"] = cmp.Or(p.flags.name, name)
	m.Metadata["command"] = commandLine(append([]string{"inkshade"}, arguments[1:]...))
	m.Metadata["date"] = time.Now().UTC().Format(time.DateOnly)
	m.Metadata["version"] = inkshade.About().Version
	m.Metadata["data"] = countByPath(p.flags.data, p.samples)
	m.Metadata["distortion"] = p.flags.distort
	m.Metadata["training_ending"] = string(p.result.Ending)
	if p.flags.notice != "" {
		m.Metadata["notice"] = p.flags.notice
	}
	if p.flags.start != "" {
		m.Metadata["start"] = p.flags.start
	}
	if p.test == nil {
		return
	}
	var files []string
	for _, t := range p.flags.test {
		files = append(files, filepath.Base(t))
	}
	m.Metadata["test_data"] = strings.Join(files, ", ")
	m.Metadata["test_samples"] = strconv.Itoa(p.test.Samples)
	m.Metadata["test_error_percent"] = strconv.FormatFloat(100*p.test.ErrorRate(), 'f', 3, 64)
}

// countByPath lists the paths that samples came from, in the order given, with the number
// of samples of each: "train-images-idx3-ubyte.gz: 60000, digits.jsonl.gz: 11797". The
// source of a picture or of one ink file among many lies below the path given.
func countByPath(paths []string, samples []dataset.Sample) string {
	counts := map[string]int{}
	for _, s := range samples {
		from := s.Source
		for _, p := range paths {
			if rest, ok := strings.CutPrefix(s.Source, filepath.Clean(p)+string(filepath.Separator)); ok && rest != "" {
				from = p
			}
		}
		counts[from]++
	}
	var out []string
	for _, p := range paths {
		if n := counts[p]; n > 0 {
			out = append(out, fmt.Sprintf("%s: %d", filepath.Base(p), n))
			delete(counts, p)
		}
	}
	return strings.Join(out, ", ")
}
