package ink

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func zip(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wide writes ASCII as UTF-16, little-endian.
func wide(text string) []byte {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i], 0)
	}
	return b
}

// readings are files and the samples in them.
var readings = map[string]struct {
	text string
	want []Labelled
}{
	"JSON Lines": {
		`{"label":"7","writer":"w07","strokes":[[[1,2],[3.5,-4]],[[1e2,0]]]}` + "\n\n" +
			`{"label":"é","context":true,"other":[1],"strokes":[[[0.125,12345678901234567,3],[1,2,5.5]]]}` + "\n",
		[]Labelled{
			{Label: "7", Writer: "w07", Ink: Ink{{{X: 1, Y: 2}, {X: 3.5, Y: -4}}, {{X: 100}}}},
			{Label: "é", Context: true, Ink: Ink{{{X: 0.125, Y: 12345678901234567, T: 3}, {X: 1, Y: 2, T: 5.5}}}},
		},
	},
	"JSON Lines with mark, spaces, CRLF and no last line end": {
		"\ufeff{ \"label\" : \"a\", \"attributes\":{\"k\":\"v\"}, \"strokes\" : [ [ [ 1 , 2 , 3 , 0.5 ] ] , [ ] ] }\r\n{\"strokes\":[]}",
		[]Labelled{
			{Label: "a", Ink: Ink{{{X: 1, Y: 2, T: 3, Pressure: 0.5}}, {}}, Attributes: map[string]string{"k": "v"}},
			{Ink: Ink{}},
		},
	},
	"UNIPEN as pendigits": {
		".INCLUDE dene.doc\n\n.LEXICON \"0\" \"1\"\n.HIERARCHY DIGIT\n" +
			".SEGMENT DIGIT    0 ? \"8\"\n.COMMENT 8 12  224\n.PEN_DOWN\n 267  333\n 268 334\n.PEN_UP\n.DT 100\n" +
			".SEGMENT DIGIT 1-2 ? \"7\"\n.COMMENT 7 13 1\n.PEN_DOWN\n1 1\n.PEN_UP\n.DT 100\n.PEN_DOWN\n2 2 3 3\n.PEN_UP\n",
		[]Labelled{
			{Label: "8", Writer: "12", Ink: Ink{{{X: 267, Y: -333}, {X: 268, Y: -334}}}},
			{Label: "7", Writer: "13", Ink: Ink{{{X: 1, Y: -1}}, {{X: 2, Y: -2}, {X: 3, Y: -3}}}},
		},
	},
	"UNIPEN with all delineations, levels, times and pen up": {
		".VERSION 1.0\r\n.COMMENT free text\r\nover lines 1 2 3\r\n.WRITER_ID anna maria\r\n.HIERARCHY WORD CHARACTER\r\n.COORD X Y T P Z\r\n" +
			".SEGMENT WORD 0-3 GOOD \"word\"\r\n.SEGMENT CHARACTER 0:1-1:0 OK \"a \\\" b\"\r\n.SEGMENT CHARACTER 1:1,3 ? \"\"\"\r\n.SEGMENT CHARACTER 2, 0 BAD\r\n" +
			".PEN_DOWN\r\n0 0 10 0 9\r\n1 -1 20 512 9\r\n.PEN_UP\r\n5 5 25 0 0\r\n.PEN_DOWN\r\n2 2 30 1024 9\r\n3 3 40 0 9\r\n" +
			".PEN_DOWN\r\n4 4 50 0 9\r\n.PEN_DOWN\r\n.5 5 60 0 9\r\n",
		[]Labelled{
			{Label: `a " b`, Writer: "anna maria", Ink: Ink{{{X: 1, Y: 1, T: 0, Pressure: 0.5}}, {{X: 2, Y: -2, T: 10, Pressure: 1}}}},
			{Label: `"`, Writer: "anna maria", Ink: Ink{{{X: 3, Y: -3}}, {{X: .5, Y: -5, T: 20}}}},
			{Writer: "anna maria", Ink: Ink{{{X: 4, Y: -4, T: 0}}, {{X: 0, Y: 0, T: -40}, {X: 1, Y: 1, T: -30, Pressure: 0.5}}}},
		},
	},
	"UNIPEN without segments": {
		".COORD X Y\n.POINTS_PER_SECOND 100\n.PEN_DOWN\n1 2\n3 4\n.PEN_UP\n.DT 50\n.PEN_DOWN\n5 6\n",
		[]Labelled{{Ink: Ink{{{X: 1, Y: -2}, {X: 3, Y: -4, T: 10}}, {{X: 5, Y: -6, T: 70}}}}},
	},
	"UNIPEN with mark, small letters, CR alone and points beside the keyword": {
		"\ufeff.version 1.0\r.coord x y t\r.hierarchy word digit\r.segment WORD 0-1 ? \"47\"\r.segment Digit 0 ? \"4\"\r" +
			".pen_down 1 2 0 3 4 10\r.pen_up 9 9 20\r.pen_down 5 6 30\r7 8 40\r.pen_up",
		[]Labelled{{Label: "4", Ink: Ink{{{X: 1, Y: -2}, {X: 3, Y: -4, T: 10}}}}},
	},
	"InkML of a pen that is up, a trace that goes on, hexadecimal": {
		`<ink><trace id="a" continuation="begin">1 2</trace><trace type="penUp">9 9, 99 99</trace>
<trace id="b" continuation="end" priorRef="#a">#1F #a</trace><trace type="indeterminate">8 8</trace><trace>3 4</trace></ink>`,
		[]Labelled{{Ink: Ink{{{X: 1, Y: 2}, {X: 31, Y: 10}}, {{X: 3, Y: 4}}}}},
	},
	"InkML with chained contexts, y upward and a group defined apart": {
		`<?xml version="1.0" encoding="ISO-8859-1"?><ink><annotation type="truth">` + "\xe9" + `</annotation><definitions>
<inkSource xml:id="s"><traceFormat xml:id="f"><channel name="Y" orientation="-ve"/><channel name="X"/></traceFormat></inkSource>
<context xml:id="c1" inkSourceRef="#s"/><context xml:id="c2" contextRef="#c1" brushRef="#b"/>
<traceGroup xml:id="g" contextRef="#c2"><trace>1 2</trace><trace>0 4</trace></traceGroup></definitions>
<traceView><traceView traceDataRef="#g"/></traceView></ink>`,
		[]Labelled{{Label: "é", Ink: Ink{{{X: 2, Y: -1}}, {{X: 4}}}}},
	},
	"UTF-16, of InkML": {
		"\xff\xfe" + string(wide(`<?xml version="1.0" encoding="UTF-16"?><ink><trace>1 2</trace></ink>`)),
		[]Labelled{{Ink: Ink{{{X: 1, Y: 2}}}}},
	},
	"UTF-16, of JSON Lines": {
		"\xff\xfe" + string(wide(`{"strokes":[[[1,2]]]}`+"\r\n")),
		[]Labelled{{Ink: Ink{{{X: 1, Y: 2}}}}},
	},
	"InkML without groups": {
		`<ink xmlns="http://www.w3.org/2003/InkML"><annotation type="truth">x</annotation><trace>10 0, 9 14, 8 28</trace><trace id="b">130 155,144-159</trace></ink>`,
		[]Labelled{{Label: "x", Ink: Ink{{{X: 10}, {X: 9, Y: 14}, {X: 8, Y: 28}}, {{X: 130, Y: 155}, {X: 144, Y: -159}}}}},
	},
	"InkML with groups, views, formats and differences": {
		`<?xml version="1.0"?><ink><annotation type="writer">w1</annotation>
<definitions><context xml:id="c"><traceFormat><channel name="X"/><channel name="T" units="s"/><channel name="Y"/><channel name="F" max="4"/></traceFormat></context></definitions>
<trace xml:id="t1">1 1, 2 2</trace>
<traceGroup><annotation type="truth">expression</annotation>
 <traceGroup><annotation type="truth">a</annotation><annotation type="place">Rome</annotation><traceView traceDataRef="#t1"/></traceGroup>
 <traceGroup contextRef="#c"><annotation type="truth">b</annotation><annotation type="writer">w2</annotation><trace>5 1 6 2, 7 1.5 8 4</trace></traceGroup>
 <traceGroup><annotation type="truth">c</annotation><trace>1125 18432,'23'43,"7"-8,3-5,* *,!5 ?</trace></traceGroup>
</traceGroup></ink>`,
		[]Labelled{
			{Label: "a", Writer: "w1", Attributes: map[string]string{"place": "Rome"}, Ink: Ink{{{X: 1, Y: 1}, {X: 2, Y: 2}}}},
			{Label: "b", Writer: "w2", Ink: Ink{{{X: 5, Y: 6, T: 0, Pressure: 0.5}, {X: 7, Y: 8, T: 500, Pressure: 1}}}},
			{Label: "c", Writer: "w1", Ink: Ink{{
				{X: 1125, Y: 18432},
				{X: 1148, Y: 18475}, // differences 23, 43
				{X: 1178, Y: 18510}, // differences 23+7, 43-8
				{X: 1211, Y: 18540}, // differences 30+3, 35-5
				{X: 1244, Y: 18570}, // the same differences
				{X: 5, Y: 18600},    // absolute x; unknown y goes on
			}}},
		},
	},
}

func TestReaders(t *testing.T) {
	for name, c := range readings {
		for _, text := range []string{c.text, zip(t, c.text)} {
			got, err := Read(strings.NewReader(text))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s: %s", name, d)
			}
		}
	}
}

// A file that cannot be read on is not blamed for the half of a line that was read.
func TestZippedFilesThatEndWithinALine(t *testing.T) {
	var lines, unipen strings.Builder
	for i := range 500 {
		fmt.Fprintf(&lines, `{"label":"7","strokes":[[[%d,%d]]]}`+"\n", i*i*i, i*7919)
		fmt.Fprintf(&unipen, ".PEN_DOWN\n%d %d\n", i*i*i, i*7919)
	}
	for _, text := range []string{lines.String(), unipen.String()} {
		whole := zip(t, text)
		for end := len(whole) / 2; end < len(whole)/2+20; end++ {
			if _, err := Read(strings.NewReader(whole[:end])); err == nil || !strings.Contains(err.Error(), "the gzip file ends early") {
				t.Errorf("%.10s, %d bytes: %v", text, end, err)
			}
		}
	}
}

// TestBrokenFiles wants the line and what is wrong in the message.
func TestBrokenFiles(t *testing.T) {
	good := `{"label":"7","strokes":[[[1,2]]]}` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"  \n \n", "the file is empty"},
		{"hello", "holds no ink that can be read"},
		{"\x89PNG\r\n", "holds no ink that can be read"},
		{"\x1f\x8bxx", "cannot be unzipped"},
		{zip(t, strings.Repeat(good, 50))[:60], "ends early"},
		{good + "[]", "line 2 is no JSON object"},
		{good + `{"label":7,"strokes":[]}`, `line 2 is not the JSON of a sample: its "label" is a number`},
		{zip(t, good) + "x", "something stands behind the end of the gzip file"},
		{zip(t, good) + zip(t, good)[:25], "the gzip file ends early"},
		{zip(t, good)[:25], "the gzip file ends early"},
		{zip(t, good)[:len(zip(t, good))-8] + "checksum", "the gzip file is damaged"},
		{".INCLUDE strokes.dat\n.SEGMENT DIGIT 0 ? \"8\"\n", "the ink may be in strokes.dat, whose .INCLUDE is not followed"},
		{`<?xml version="1.0" encoding="EBCDIC"?><ink></ink>`, `the encoding "EBCDIC" is not understood; save the file as UTF-8`},
		{"<ink><trace>1 #</trace></ink>", `"#" of point 1 is no number`},
		{good + good + `{"label":"7","strokes":[[[1,2]]`, "line 3 is not the JSON of a sample"},
		{`{"label":"7"}`, `line 1 has no "strokes"`},
		{`{"strokes":null}`, `line 1 holds "null" where the strokes should be`},
		{`{"strokes":{}}`, `line 1 holds "{}" where the strokes should be`},
		{`{"strokes":[1]}`, "where a stroke should be"},
		{`{"strokes":[[1]]}`, "where a point should be"},
		{`{"strokes":[[[1]]]}`, "point 1 has 1 numbers"},
		{`{"strokes":[[[1,2],[1,2,3,4,5]]]}`, "point 2 has more than four numbers"},
		{`{"strokes":[[["1",2]]]}`, `holds "\"1\",2]]]" where a number of point 1 should be`},
		{`{"strokes":[[[1e999,2]]]}`, "1e999, which is out of range"},
		{".SEGMENT DIGIT 0 ? \"8\"\n.PEN_DOWN\n1 2\n3 x\n", `line 4 holds "x" where a number should be`},
		{".PEN_DOWN\n1 2\n3\n", "line 3 has 1 numbers where a point has 2; expected X Y"},
		{".PEN_DOWN\n1 NaN\n", `line 2 holds "NaN"`},
		{".PEN_DOWN\n1 1e400\n", `line 2 holds "1e400"`},
		{".COORD T P\n", "line 1 names no X and Y"},
		{".POINTS_PER_SECOND fast\n", `line 1 gives "fast" points per second`},
		{".VERSION 1.0\n.SEGMENT DIGIT 0-1 ? \"8\"\n.PEN_DOWN\n1 2\n", "line 2 names stroke 1, but the file has 1 strokes"},
		{".SEGMENT DIGIT 5-3 ? \"8\"\n", `line 1 names the strokes "5-3"`},
		{".SEGMENT DIGIT 99999999999999999999 ? \"8\"\n", "line 1 names the strokes"},
		{".SEGMENT DIGIT ? \"8\"\n.PEN_DOWN\n1 2\n", "line 1 names no strokes"},
		{".SEGMENT DIGIT 0 ? \"8\n", "line 1 has a label without its closing quote"},
		{strings.Repeat(".PEN_DOWN\n1 1\n", 3000) + strings.Repeat(".SEGMENT D 0-2999 ? \"x\"\n", 3000), "passes what a file of this size may hold"},
		{"<html></html>", "line 1 begins with <html>, so this is no InkML"},
		{"<ink>\n<trace>1 2, 3</trace></ink>", `line 2 holds a trace that cannot be read: point 2, " 3", does not have the 2 values`},
		{"<ink>\n<trace>1 2, 3 a</trace></ink>", `"a" of point 2 is no number`},
		{"<ink>\n<trace>", "line 2 is no XML: unexpected EOF"},
		{"<ink><traceFormat><channel name=\"X\"/></traceFormat></ink>", "without the channels X and Y"},
		{"<ink><traceGroup><traceView traceDataRef=\"#x\"/></traceGroup></ink>", `names the trace "x", which the file does not have`},
		{"<ink>" + strings.Repeat("<traceGroup>", 200), "nests more than a hundred elements"},
		{"<!-- -->", "the file is empty"},
	} {
		samples, err := Read(strings.NewReader(c.text))
		if err == nil || samples != nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "xml:") {
			t.Errorf("%.80q: error %v with %d samples, want %q in it", c.text, err, len(samples), c.want)
		}
	}
	for name, read := range map[string]func(io.Reader) ([]Labelled, error){
		"JSON Lines": readAs("JSON Lines"), "UNIPEN": readAs("UNIPEN"), "InkML": readAs("InkML"),
	} {
		if _, err := read(strings.NewReader("nothing of the kind")); err == nil {
			t.Errorf("%s: no error for a file of another kind", name)
		}
	}
}

func TestLongLine(t *testing.T) {
	_, err := Read(strings.NewReader(`{"label":"` + strings.Repeat("x", maxLine)))
	if err == nil || !strings.Contains(err.Error(), "line 1 is longer than") {
		t.Errorf("error %v", err)
	}
}

// samplesOf makes samples that every format can hold: time begins at 0, pressure is at
// most 1, text is what XML takes.
func samplesOf() *rapid.Generator[[]Labelled] {
	number := rapid.OneOf(
		rapid.Map(rapid.IntRange(-5000, 5000), func(n int) float64 { return float64(n) }),
		rapid.Map(rapid.IntRange(-1e6, 1e6), func(n int) float64 { return float64(n) / 100 }),
		rapid.Float64Range(-1e300, 1e300),
	)
	text := rapid.OneOf(rapid.SampledFrom([]string{"", "A", "ß", "漢", `"`, `\`, "<", "&", " a b ", "%2F", "7\"", "\t"}),
		rapid.Map(rapid.String(), func(s string) string {
			if !validXML(s) || strings.Contains(s, "\r") {
				return "x"
			}
			return s
		}))
	return rapid.Custom(func(t *rapid.T) []Labelled {
		samples := make([]Labelled, rapid.IntRange(0, 4).Draw(t, "samples"))
		for i := range samples {
			s := &samples[i]
			s.Label, s.Writer, s.Context = text.Draw(t, "label"), text.Draw(t, "writer"), rapid.Bool().Draw(t, "context")
			for range rapid.IntRange(0, 2).Draw(t, "attributes") {
				if s.Attributes == nil {
					s.Attributes = map[string]string{}
				}
				s.Attributes["x-"+text.Draw(t, "name")] = text.Draw(t, "value")
			}
			timed, pressed := rapid.Bool().Draw(t, "timed"), rapid.Bool().Draw(t, "pressed")
			clock := 0.0
			s.Ink = make(Ink, rapid.IntRange(1, 3).Draw(t, "strokes"))
			for j := range s.Ink {
				for range rapid.IntRange(1, 4).Draw(t, "points") {
					p := Point{X: number.Draw(t, "x"), Y: number.Draw(t, "y")}
					if timed {
						p.T = clock
						clock += float64(rapid.IntRange(0, 300).Draw(t, "dt")) / 4
					}
					if pressed {
						p.Pressure = rapid.Float64Range(0, 1).Draw(t, "pressure")
					}
					s.Ink[j] = append(s.Ink[j], p)
				}
			}
		}
		return samples
	})
}

func TestWrittenFilesReadBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := samplesOf().Draw(t, "samples")
		for name, f := range map[string]struct {
			write func(io.Writer, []Labelled) error
			read  func(io.Reader) ([]Labelled, error)
		}{
			"JSON Lines": {WriteJSONLines, readAs("JSON Lines")},
			"UNIPEN":     {WriteUNIPEN, readAs("UNIPEN")},
			"InkML":      {WriteInkML, readAs("InkML")},
		} {
			var b bytes.Buffer
			if err := f.write(&b, samples); err != nil {
				t.Fatalf("%s: writing: %v", name, err)
			}
			got, err := f.read(&b)
			if err != nil {
				t.Fatalf("%s: reading: %v\n%s", name, err, b.String())
			}
			if len(got) == 0 && len(samples) == 0 {
				continue
			}
			if d := cmp.Diff(samples, got); d != "" {
				t.Fatalf("%s: %s", name, d)
			}
		}
	})
}

func TestWritersRefuse(t *testing.T) {
	ok := Ink{{{X: 1, Y: 2}}}
	for name, c := range map[string]struct {
		write func(io.Writer, []Labelled) error
		s     Labelled
		want  string
	}{
		"no ink":           {WriteJSONLines, Labelled{Label: "a", Ink: Ink{{{X: math.NaN()}}}}, `sample 1, labelled "a", has no ink`},
		"no ink, UNIPEN":   {WriteUNIPEN, Labelled{}, "has no ink"},
		"no ink, InkML":    {WriteInkML, Labelled{}, "has no ink"},
		"label no UTF-8":   {WriteJSONLines, Labelled{Label: "\xff", Ink: ok}, "no valid UTF-8"},
		"label no XML":     {WriteInkML, Labelled{Label: "\x01", Ink: ok}, "XML does not allow"},
		"writer no XML":    {WriteInkML, Labelled{Writer: "\xff", Ink: ok}, "XML does not allow"},
		"attribute's name": {WriteInkML, Labelled{Attributes: map[string]string{"truth": "x"}, Ink: ok}, `cannot be called "truth"`},
	} {
		if err := c.write(io.Discard, []Labelled{c.s}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
	}
}

// A line is handed over before the next is read.
func TestEachHandsOverLineByLine(t *testing.T) {
	r, w := io.Pipe()
	got := make(chan string, 2)
	go func() {
		for _, label := range []string{"a", "b"} {
			fmt.Fprintf(w, "{\"label\":%q,\"strokes\":[[[1,2]]]}\n", label)
			fmt.Fprint(w, strings.Repeat(" \n", 1<<16)) // past what is buffered
			if found := <-got; found != label {
				t.Errorf("%s came, want %s", found, label)
			}
		}
		w.Close()
	}()
	if err := Each(r, func(s Labelled) error { got <- s.Label; return nil }); err != nil {
		t.Error(err)
	}
}
