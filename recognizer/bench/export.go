package bench

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"inkshade/glcompute"
)

// micros writes a time as a number of microseconds.
type micros time.Duration

func (m micros) MarshalJSON() ([]byte, error) { return []byte(m.String()), nil }

func (m micros) String() string {
	return strconv.FormatFloat(float64(m)/float64(time.Microsecond), 'f', -1, 64)
}

type spreadJSON struct {
	Median    micros `json:"median_us"`
	Fastest   micros `json:"fastest_us"`
	Slowest   micros `json:"slowest_us"`
	Deviation micros `json:"deviation_us"`
	Repeats   int    `json:"repeats"`
	Disturbed bool   `json:"disturbed"`
}

func (s Spread) json() *spreadJSON {
	if s.Repeats == 0 {
		return nil
	}
	return &spreadJSON{micros(s.Median), micros(s.Fastest), micros(s.Slowest), micros(s.Deviation), s.Repeats, s.Disturbed}
}

// reason is why something is missing; empty for nothing.
func reason(missing error) string {
	if missing == nil {
		return ""
	}
	return missing.Error()
}

// MarshalJSON writes times in microseconds; a reading without times has only the reason.
func (x Reading) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Experiment Experiment `json:"experiment"`
		Size       int        `json:"size"`
		Device     string     `json:"device"`
		*spreadJSON
		Prepare micros  `json:"prepare_us"`
		GFLOPS  float64 `json:"gflops,omitempty"`
		Missing string  `json:"missing,omitempty"`
	}{x.Experiment, x.Size, x.Device, x.Spread.json(), micros(x.Prepare), x.GFLOPS, reason(x.Missing)})
}

// MarshalJSON writes times in microseconds.
func (d Drawing) MarshalJSON() ([]byte, error) {
	type pass struct {
		Name string `json:"name"`
		Time micros `json:"us"`
	}
	passes := []pass{}
	for _, p := range d.Passes {
		passes = append(passes, pass{p.Name, micros(p.Time)})
	}
	return json.Marshal(struct {
		Device     string `json:"device"`
		Network    []int  `json:"network"`
		Preprocess micros `json:"preprocess_us"`
		Upload     micros `json:"upload_us"`
		Compute    micros `json:"compute_us"`
		Readback   micros `json:"readback_us"`
		Passes     []pass `json:"passes"`
		*spreadJSON
		Compile micros `json:"compile_us"`
		Prepare micros `json:"prepare_us"`
		Missing string `json:"missing,omitempty"`
	}{
		d.Device, d.Network, micros(d.Preprocess), micros(d.Upload), micros(d.Compute), micros(d.Readback),
		passes, d.Total.json(), micros(d.Compile), micros(d.Prepare), reason(d.Missing),
	})
}

// MarshalJSON writes a device that takes part, or why it does not.
func (d Device) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name     string `json:"name"`
		Renderer string `json:"renderer,omitempty"`
		Version  string `json:"version,omitempty"`
		Software bool   `json:"software"`
		Compared bool   `json:"compared"`
		Missing  string `json:"missing,omitempty"`
	}{d.Name, d.Info.Name, d.Info.Version, d.Info.Software, d.Compared, reason(d.Missing)})
}

// MarshalJSON writes a crossover with its sentence.
func (c Crossover) MarshalJSON() ([]byte, error) {
	type crossover Crossover
	c.Wins = append([]int{}, c.Wins...)
	return json.Marshal(struct {
		crossover
		Text string `json:"text"`
	}{crossover(c), Sentences(c.Words())})
}

// MarshalJSON writes the whole report.
func (r *Report) MarshalJSON() ([]byte, error) {
	type report Report
	whole, sparse := report(*r), map[string]int{}
	for _, d := range r.Devices {
		if percent, ok := r.SparseLimit(d.Name); ok {
			sparse[d.Name] = percent
		}
	}
	whole.Devices, whole.Drawings = append([]Device{}, r.Devices...), append([]Drawing{}, r.Drawings...)
	whole.Readings, whole.Crossovers = append([]Reading{}, r.Readings...), append([]Crossover{}, r.Crossovers...)
	return json.Marshal(struct {
		report
		Elapsed  float64        `json:"elapsed_s"`
		Packing  float64        `json:"packing,omitempty"`
		Textures float64        `json:"packing_textures,omitempty"`
		Sparse   map[string]int `json:"sparse_up_to_percent,omitempty"`
		Gains    []Gain         `json:"gains,omitempty"`
	}{whole, r.Elapsed.Seconds(), r.Packing(), r.TexturePacking(), sparse, r.Gains()})
}

// WriteCSV writes one line for each reading, and for each stage and pass of the drawing and
// the compiling before it.
// Times are in microseconds; what there is not, is empty. Each line ends with the name of its
// device and the version of its driver, or of the processor's library; what several devices
// did together has neither.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	// A csv.Writer keeps its first error for Error below.
	_ = c.Write([]string{
		"experiment", "part", "size", "device", "median_us", "fastest_us", "slowest_us", "deviation_us",
		"repeats", "disturbed", "prepare_us", "gflops", "missing", "renderer", "driver",
	})
	for _, d := range r.Drawings {
		line := func(part string, s Spread, prepare time.Duration) {
			_ = c.Write(r.csvLine(part, Reading{Experiment: OneDrawing, Size: 1, Device: d.Device, Spread: s, Prepare: prepare, Missing: d.Missing}))
		}
		line("total", d.Total, d.Prepare)
		if d.Missing != nil {
			continue
		}
		for _, p := range []glcompute.Pass{
			{Name: "compile", Time: d.Compile},
			{Name: "preprocess", Time: d.Preprocess},
			{Name: "upload", Time: d.Upload},
			{Name: "compute", Time: d.Compute},
			{Name: "readback", Time: d.Readback},
		} {
			line(p.Name, Spread{Median: p.Time}, 0)
		}
		for i, p := range d.Passes {
			line(fmt.Sprintf("pass %d %s", i+1, p.Name), Spread{Median: p.Time}, 0)
		}
	}
	for _, x := range r.Readings {
		_ = c.Write(r.csvLine("", x))
	}
	c.Flush()
	return c.Error()
}

func (r *Report) csvLine(part string, x Reading) []string {
	d := r.Device(x.Device)
	line := []string{
		string(x.Experiment), part, strconv.Itoa(x.Size), x.Device, "", "", "", "", "", "", "", "", reason(x.Missing), d.Info.Name, d.Info.Version,
	}
	if x.Missing != nil {
		return line
	}
	line[4] = micros(x.Median).String()
	if x.Repeats > 0 {
		line[5], line[6], line[7] = micros(x.Fastest).String(), micros(x.Slowest).String(), micros(x.Deviation).String()
		line[8], line[9] = strconv.Itoa(x.Repeats), strconv.FormatBool(x.Disturbed)
	}
	if x.Prepare > 0 {
		line[10] = micros(x.Prepare).String()
	}
	if x.GFLOPS > 0 {
		line[11] = strconv.FormatFloat(x.GFLOPS, 'f', 3, 64)
	}
	return line
}
