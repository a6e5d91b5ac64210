package ink

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"inkshade/recognizer/files"
)

// endless is head, then body for ever, as a small gzip file can unzip to.
type endless struct{ head, body string }

func (e *endless) Read(p []byte) (int, error) {
	if e.head == "" {
		e.head = e.body
	}
	n := copy(p, e.head)
	e.head = e.head[n:]
	return n, nil
}

// TestNoFileTakesGigabytes wants that whatever a file repeats without end, reading it stops
// before it has taken 400 MB.
func TestNoFileTakesGigabytes(t *testing.T) {
	many := func(text string) string { return strings.Repeat(text, 1000) }
	for name, c := range map[string]struct{ head, body, want string }{
		"points of a line":     {`{"strokes":[[`, many("[1,2],"), "line 1 is longer than"},
		"points of lines":      {"", `{"strokes":[[` + strings.Repeat("[1,2],", 1e6) + "[1,2]]]}\n", "line 8 passes what a file of this size may hold"},
		"too many points":      {"", `{"strokes":[[` + strings.Repeat("[1,2],", MaxPoints) + "[1,2]]]}\n", "points or strokes in one drawing"},
		"too many strokes":     {"", `{"strokes":[` + strings.Repeat("[],", MaxPoints) + "[]]}\n", "points or strokes in one drawing"},
		"samples":              {"", many(`{"strokes":[[[1,2]]]}` + "\n"), "passes what a file of this size may hold"},
		"samples without ink":  {"", many(`{"strokes":[]}` + "\n"), "passes what a file of this size may hold"},
		"attributes":           {"", `{"attributes":{"a":"` + many("long text ") + `"},"strokes":[]}` + "\n", "passes what a file of this size may hold"},
		"UNIPEN points":        {".PEN_DOWN\n", many("1 2\n"), "points or strokes in one drawing"},
		"UNIPEN long strokes":  {"", ".PEN_DOWN\n" + strings.Repeat("1 2\n", 100000), "passes what a file of this size may hold"},
		"UNIPEN strokes":       {".COORD X Y\n", many(".PEN_DOWN\n"), "passes what a file of this size may hold"},
		"UNIPEN segments":      {".COORD X Y\n", many(".SEGMENT D 0 ? \"7\"\n"), "passes what a file of this size may hold"},
		"UNIPEN delineations":  {".SEGMENT D 0", strings.Repeat(",0", 4e6) + "\n.SEGMENT D 0", "passes what a file of this size may hold"},
		"UNIPEN attributes":    {".SEGMENT D 0 ? \"7\"\n", many(".COMMENT attribute \"name\" \"value\"\n"), "passes what a file of this size may hold"},
		"UNIPEN columns":       {".COORD X Y", strings.Repeat(" Z", 1e6) + "\n", "names columns or levels in 2000003 bytes"},
		"UNIPEN writers":       {".VERSION 1\n", ".WRITER_ID " + strings.Repeat("w", 1e7) + "\n", "passes what a file of this size may hold"},
		"InkML trace":          {"<ink><trace>", many("1 2,"), "bytes without a tag"},
		"InkML trace in parts": {"<ink><trace>", many("1 2,<!-- -->"), "bytes without a tag"},
		"InkML traces":         {"<ink>", many("<trace>1 2</trace>"), "passes what a file of this size may hold"},
		"InkML groups":         {"<ink>", many("<traceGroup/>"), "passes what a file of this size may hold"},
		"InkML views":          {`<ink><trace id="a">1 2</trace>`, many(`<traceView traceDataRef="#a"/>`), "passes what a file of this size may hold"},
		"InkML annotations":    {"<ink>", many(`<annotation type="a">b</annotation>`), "passes what a file of this size may hold"},
		"InkML channels":       {"<ink><traceFormat>", many(`<channel name="X"/>`), "more than 64 channels"},
		"InkML name":           {"<" + strings.Repeat("n", 1e6) + ">", " ", "so this is no InkML"},
		"InkML names":          {"<ink><" + strings.Repeat("n", 1e6) + "></ink>", " ", "is no XML"},
		"InkML contexts":       {`<ink><traceFormat id="f"><channel name="X"/><channel name="Y"/></traceFormat>`, many(`<context id="c" traceFormatRef="#f"/>`), "passes what a file of this size may hold"},
	} {
		t.Run(name, func(t *testing.T) {
			peak := peakMemory(func() {
				samples, err := Read(&endless{c.head, c.body})
				if err == nil || samples != nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 400 {
					t.Errorf("%d samples, error %v, want %q in it", len(samples), err, c.want)
				}
			})
			if peak > 400<<20 {
				t.Errorf("%d MB were taken", peak>>20)
			}
		})
	}
}

// peakMemory is the most memory that the heap had while the work went on.
func peakMemory(work func()) (most uint64) {
	runtime.GC()
	done := make(chan bool)
	go func() {
		defer close(done)
		work()
	}()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for {
		metrics.Read(sample)
		most = max(most, sample[0].Value.Uint64())
		select {
		case <-done:
			return most
		case <-time.After(time.Millisecond):
		}
	}
}

// A pen whose traces go on and on was copied from the start with each of them: 45 seconds.
func TestContinuedTracesTakeLinearTime(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<ink><trace id="t0" continuation="begin">0 0, 0 1, 0 2</trace>`)
	for i := 1; i < 100000; i++ {
		fmt.Fprintf(&b, `<trace id="t%d" continuation="middle" priorRef="#t%d">%d 0, 3 4, 5 6</trace>`, i, i-1, i)
	}
	b.WriteString("</ink>")
	before := time.Now()
	samples, err := Read(strings.NewReader(b.String()))
	if err != nil || len(samples) != 1 || len(samples[0].Ink) != 1 || len(samples[0].Ink[0]) != 300000 || samples[0].Ink[0][299997].X != 99999 {
		t.Fatalf("%d samples, error %v", len(samples), err)
	}
	if took := time.Since(before); took > 15*time.Second {
		t.Errorf("it took %v", took)
	}
}

// A damaged file says so and what to do, in whichever part it is damaged.
func TestDamagedGzip(t *testing.T) {
	whole := zip(t, strings.Repeat(`{"label":"7","strokes":[[[1,2]]]}`+"\n", 50))
	for at := 10; at < len(whole); at++ {
		b := []byte(whole)
		b[at] ^= 0xff
		if _, err := Read(strings.NewReader(string(b))); err != nil && !strings.Contains(err.Error(), "get it again") && !strings.HasPrefix(err.Error(), "line") && !strings.Contains(err.Error(), "holds no ink") {
			t.Errorf("byte %d: %v", at, err)
		}
	}
	b, err := files.Unzip(strings.NewReader(whole[:10] + "\xff" + whole[11:]))
	if err == nil {
		_, err = io.ReadAll(b)
	}
	if err == nil || !strings.Contains(err.Error(), "the gzip file is damaged (flate: corrupt input before offset") {
		t.Errorf("error %v", err)
	}
}

// A file of more samples than it may hold is refused before the first one is read.
func TestFits(t *testing.T) {
	const line = `{"strokes":[[[0,0]]]}` + "\n"
	most := MaxMemory / SampleMemory
	for text, fits := range map[string]bool{
		strings.Repeat(line, most):               true,
		strings.Repeat(line, most+1):             false,
		strings.Repeat("\n"+line, most):          true,
		strings.Repeat(".PEN_DOWN\n1 2\n", most): true, // no line is a sample
		"":                                       true,
	} {
		if err := Fits(strings.NewReader(text)); (err == nil) != fits {
			t.Errorf("%.20q, %d bytes: %v", text, len(text), err)
		}
	}
}

// A large file may take more than a small one, however it is read.
func TestMemoryGrowsWithTheFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "ink"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(20 << 20); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]io.Reader{"a file": f, "one that a context ends": files.Reader(t.Context(), f, nil)} {
		of, err := textOf(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := newBudget(of).left; got != 640<<20 {
			t.Errorf("%s: samples may take %d MB, want 640", name, got>>20)
		}
	}
	if got := newBudget(strings.NewReader("")).left; got != MaxMemory {
		t.Errorf("of no file %d MB, want %d", got>>20, MaxMemory>>20)
	}
}
