package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"text/template"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"inkshade/glcompute/message"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/files"
)

// output is standard output, or where messages go, and remembers that writing failed, so that
// no command has to look after every line. What a terminal would obey is escaped as in JSON.
type output struct {
	w       io.Writer
	written bool
	err     error // the first
}

func (o *output) Write(p []byte) (int, error) {
	o.written = true
	_, err := o.w.Write(controls.ReplaceAllFunc(p, func(c []byte) []byte {
		r, _ := utf8.DecodeRune(c)
		return fmt.Appendf(nil, "\\u%04x", r)
	}))
	if err != nil && o.err == nil {
		o.err = err
	}
	return len(p), err
}

// controls are the control characters but the tab and the line end, and those that end lines or turn the order of letters around.
var controls = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f-\u009f\u2028-\u202e\u2066-\u2069]")

// show prints a report: as JSON where --json asks for it, else in words, by a template.
func show(cmd *cobra.Command, report any, words string) error {
	if asJSON, _ := cmd.Flags().GetBool("json"); !asJSON {
		var b strings.Builder
		if err := inWords(&b, report, words); err != nil {
			return err
		}
		_, err := io.WriteString(cmd.OutOrStdout(), fold(b.String()))
		return err
	}
	e := jsonLines(cmd.OutOrStdout())
	e.SetIndent("", "  ")
	return e.Encode(report)
}

func inWords(w io.Writer, report any, words string) error {
	return template.Must(template.New("").Funcs(inTemplates).Parse(words)).Execute(w, report)
}

// counted names a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// inTemplates are what the templates of reports call.
var inTemplates = template.FuncMap{
	"shown":      files.Shown,
	"trim":       strings.TrimPrefix,
	"sum":        func(a, b int) int { return a + b },
	"float":      func(p *float64) float64 { return *p },
	"percent":    percent,
	"mebibytes":  func(n int64) int64 { return n >> 20 },
	"time":       shortTime,
	"star":       star,
	"counted":    counted,
	"tables":     benchTables,
	"cautions":   func(r *bench.Report) []*message.Message { return r.Cautions(message.Text("*")) },
	"confusions": confusionLines,
}

// keys lists the keys of a report as JSON has it, with what their tags say of them.
func keys(report any) string { return keysOf(reflect.TypeOf(report)) + "." }

// terminal is how wide help and reports are.
const terminal = 80

// folding breaks lines of so many letters at blanks.
func folding(width int) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`(?m)(.{1,%d})(?: |$)\n?`, width))
}

// heading is what stands at the beginning of a line, and the gap behind it.
var heading = regexp.MustCompile(`^.{0,20}?  +`)

// fold breaks lines that are wider than a terminal. What follows stands below what stood behind their heading.
func fold(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if utf8.RuneCountInString(line) > terminal {
			head := heading.FindString(line)
			below := folding(terminal-len(head)).ReplaceAllString(line[len(head):], "$1\n"+strings.Repeat(" ", len(head)))
			lines[i] = head + strings.TrimRight(below, " \n")
		}
	}
	return strings.Join(lines, "\n")
}

// fitting has the help of a command, and of those below it, fit a terminal: paragraphs are folded, and so is what flags say.
func fitting(cmd *cobra.Command) {
	cmd.SetUsageTemplate(strings.NewReplacer("FlagUsages ", fmt.Sprintf("FlagUsagesWrapped %d ", terminal), "more information", "more").Replace(cmd.UsageTemplate()))
	paragraphs := regexp.MustCompile(`(\S)\n(\S)`).ReplaceAllString(cmd.Long, "$1 $2") // what is indented stays a line of its own
	cmd.Long = strings.TrimSuffix(folding(terminal).ReplaceAllString(paragraphs, "$1\n"), "\n")
	for _, below := range cmd.Commands() {
		fitting(below)
	}
}

func keysOf(t reflect.Type) string {
	var all []string
	for _, f := range reflect.VisibleFields(t) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" || key == "-" {
			continue
		}
		about := f.Tag.Get("help")
		switch kind := f.Type.Kind(); {
		case kind == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			about += "; each with " + keysOf(f.Type.Elem())
		case kind == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct:
			about += "; with " + keysOf(f.Type.Elem())
		}
		if about = strings.TrimPrefix(about, "; "); about != "" {
			key += " (" + about + ")"
		}
		all = append(all, key)
	}
	return strings.Join(all, ", ")
}

// jsonLines writes values as JSON, one a line, and all signs as they are.
func jsonLines(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// writeFile writes a file that everybody may read; its place holds the whole old one or the whole new one. A device or a pipe is
// written into.
func writeFile(path string, write func(io.Writer) error) error {
	if err := files.WriteShared(path, write); err != nil {
		return explainWriting(path, err)
	}
	return nil
}

var errStandardOutput = usageError{errors.New("this is written to a file, not to standard output; name one, or ./- for one of that name")}

// checkWritable finds out whether writeFile will be able to write there, without leaving
// a trace; a long training should not end with a missing folder. Files that the command reads are not written over.
func checkWritable(path string, read ...string) error {
	if path == standardInput {
		return errStandardOutput
	}
	st, err := os.Stat(path)
	if err == nil && st.IsDir() {
		return fmt.Errorf("cannot write %s: it is a folder; give the name of a file", files.Shown(path))
	}
	if files.Special(path) {
		return nil // looking may already take what a pipe's reader waits for
	}
	for _, name := range read {
		if other, missing := os.Stat(name); err == nil && missing == nil && os.SameFile(st, other) {
			return fmt.Errorf("cannot write %s: it is read by the same command, and what it holds would be lost; give another name", files.Shown(path))
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return explainWriting(path, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

func explainWriting(path string, err error) error {
	return remedied(fmt.Errorf("cannot write %s: %w", files.Shown(path), files.Cause(err)))
}

// remedied says what to do where writing has failed.
func remedied(err error) error {
	if files.Absent(err) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w; choose a folder that exists and may be written", err)
	}
	return spaced(err)
}

// spaced says what to do where the disk is full.
func spaced(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w; free some space and try again", err)
	}
	return err
}

// percent is the share of a part in percent, 0 of nothing.
func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// commandLine writes arguments as a shell takes them.
func commandLine(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`*?[]{}()<>|&;#!~") {
			quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
