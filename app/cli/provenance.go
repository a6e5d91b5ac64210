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
	"inkshade/recognizer/train"
)

// describe writes how a model came about into its metadata, beside what training itself has written there. test is nil where
// nothing was measured, arguments the command line of this process.
func (f *trainFlags) describe(result *train.Result, samples []dataset.Sample, test *train.Evaluation, arguments []string) {
	m := result.Model
	name := strings.TrimSuffix(filepath.Base(f.out), filepath.Ext(f.out))
	m.Metadata["name"] = cmp.Or(f.name, name)
	m.Metadata["command"] = commandLine(append([]string{"inkshade"}, arguments[1:]...))
	m.Metadata["date"] = time.Now().UTC().Format(time.DateOnly)
	m.Metadata["version"] = inkshade.About().Version
	m.Metadata["data"] = countByPath(f.data, samples)
	m.Metadata["distortion"] = f.distort
	m.Metadata["training_ending"] = string(result.Ending)
	if f.notice != "" {
		m.Metadata["notice"] = f.notice
	}
	if f.start != "" {
		m.Metadata["start"] = f.start
	}
	if test == nil {
		return
	}
	var files []string
	for _, t := range f.test {
		files = append(files, filepath.Base(t))
	}
	m.Metadata["test_data"] = strings.Join(files, ", ")
	m.Metadata["test_samples"] = strconv.Itoa(test.Samples)
	m.Metadata["test_error_percent"] = strconv.FormatFloat(100*test.ErrorRate(), 'f', 3, 64)
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
