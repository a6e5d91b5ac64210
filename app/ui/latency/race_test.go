package latency

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/app/ui/language"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer/bench"
)

// The race measures what is drawn, on each device, for more and more drawings at once; its sentence says who wins.
func TestRace(t *testing.T) {
	var got bench.Options
	next := make(chan struct{})
	s, p := measuring(t, &uitest.Engine{}, func(_ context.Context, o bench.Options, tell func(bench.Event)) (*bench.Report, error) {
		got = o
		r := &bench.Report{Quick: o.Quick, Elapsed: time.Second}
		for _, c := range o.Contestants {
			d := bench.Device{Name: c.Name, Info: glcompute.Info{Kind: glcompute.DeviceKind(c.Name)}}
			r.Devices = append(r.Devices, d)
			tell(bench.Event{Device: &d, Total: 6})
		}
		for done, size := range bench.Race.Sizes(true) {
			var readings []bench.Reading
			for _, d := range r.Devices {
				took := time.Duration(size) * 10 * time.Microsecond // of the processor
				if d.Info.Kind != glcompute.CPU {
					took = 100*time.Microsecond + time.Duration(size)*time.Microsecond
				}
				readings = append(readings, bench.Reading{Experiment: bench.Race, Size: size, Device: d.Name, Spread: bench.Spread{Median: took, Repeats: 5}})
			}
			r.Readings = append(r.Readings, readings...)
			tell(bench.Event{Done: done + 1, Total: 6, Experiment: bench.Race, Size: size, Readings: readings})
			<-next
		}
		r.Crossovers, r.Complete = bench.Compare(r), true
		return r, nil
	})
	p.view.Change(0)
	if p.picture.Visible() || p.cards[0].Visible() || !p.cards[3].Visible() {
		t.Error("the race does not stand alone")
	}
	if reflect.DeepEqual(p.race.drawing.Paint(72, 72), widget.NewInkView(72).Paint(72, 72)) {
		t.Error("of empty paper the sample digit is not shown")
	}
	s.Paper.SetInk(uitest.SevenInk)
	p.start.Tapped(nil)
	s.Until("the first drawing", func() bool { return p.race.rows[0].Value.Text == "100\u202f000/s" })
	if len(got.Drawing) != 1 || len(got.Drawing[0]) != 5 || !slices.Equal(got.Experiments, []bench.Experiment{bench.Race}) || len(got.Contestants) != 3 {
		t.Errorf("measured was %+v", got)
	}
	if p.race.headline.Text == p.race.unit.Text {
		t.Errorf("%q stands there twice", p.race.unit.Text)
	}
	if cpu, gpu := p.race.rows[0].Bar.Spans, p.race.rows[2].Bar.Spans; cpu[0].To != 1 || gpu[0].To > 0.11 {
		t.Errorf("the bars are %v and %v", cpu, gpu)
	}
	p.race.at.Change(1)
	close(next)
	s.Until("the end", func() bool { return p.running == nil })
	for _, want := range []string{"16", language.Said(bench.NameOf("fragment")), "9.1", "1024"} {
		if !strings.Contains(p.race.headline.Text, want) {
			t.Errorf("the headline is %q, without %s", p.race.headline.Text, want)
		}
	}
	ofFour := p.race.count.Text
	if !strings.HasPrefix(ofFour, "4 ") {
		t.Errorf("%s are shown where 4 were chosen", p.race.count.Text)
	}
	p.start.Tapped(nil)
	s.Until("the end of another", func() bool { return p.running == nil })
	caption := p.race.caption.Text
	p.race.of(nil, language.ModelName(s.Status.Model))
	if !strings.HasPrefix(p.race.count.Text, "1024 ") || p.race.rows[0].Bar.Spans[0].To > 0.12 || p.race.caption.Text == caption {
		t.Errorf("%q, %v, %q", p.race.count.Text, p.race.rows[0].Bar.Spans, p.race.caption.Text)
	}
	p.race.at.Change(1)
	if p.race.count.Text != ofFour || p.race.rows[0].Bar.Spans[0].To != 1 {
		t.Error("a size that was chosen is not shown")
	}
	p.race.report.Readings = slices.DeleteFunc(p.race.report.Readings, func(x bench.Reading) bool { return x.Size == 4 && x.Device != "cpu" })
	p.race.show()
	if p.race.rows[0].Value.Text == "–" || p.race.rows[2].Value.Text != "–" {
		t.Errorf("of a size that was left out stands there %q", p.race.rows[2].Value.Text)
	}
	for i := range 2 {
		p.race.report.Devices[1+i].Missing = errors.New("no OpenGL")
	}
	p.race.of(nil, "Digits")
	if missing := p.race.report.Devices[1:3]; !strings.Contains(p.race.caption.Text, language.Said(missing[0].Why())) || !strings.Contains(p.race.caption.Text, language.Said(missing[1].Why())) {
		t.Errorf("of two devices that are missing stands there %q", p.race.caption.Text)
	}
	p.view.Change(1)
	if len(p.Report.Readings) != 0 || !p.cards[0].Visible() || !p.picture.Disabled() {
		t.Error("the race is among the measurements")
	}
	unmeasured := p.status.Text
	if unmeasured == "" || strings.Contains(unmeasured, "1.0 s") {
		t.Errorf("of what was not measured stands there %q", unmeasured)
	}
	p.view.Change(0)
	if !strings.Contains(p.status.Text, "1.0 s") {
		t.Errorf("of the race stands there %q", p.status.Text)
	}
	for x, want := range map[float64]string{0.5: "0.5", 42.18: "42.2", 99.96: "100", 999.6: "1\u202f000", 12345: "12\u202f300", 1234567: "1\u202f230\u202f000"} {
		if got := readable(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}
