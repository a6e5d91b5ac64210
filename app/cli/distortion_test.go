package cli

import (
	"testing"

	"inkshade/recognizer/dataset"
)

func TestParseDistortion(t *testing.T) {
	normal := dataset.DefaultDistortion()
	for name, share := range map[string]float64{"default": 1, "1": 1, "0.5": 0.5, "strong": strongDistortion, "0": 0} {
		d, err := parseDistortion(name, dataset.DefaultDistortion())
		if err != nil || d.Rotate != share*normal.Rotate || d.ElasticAlpha != share*normal.ElasticAlpha || d.ElasticSigma != normal.ElasticSigma {
			t.Errorf("%s: %+v (%v), want %g times %+v", name, d, err, share, normal)
		}
	}
	if d, err := parseDistortion("none", dataset.DefaultDistortion()); err != nil || d != (dataset.Distortion{}) {
		t.Errorf("none: %+v (%v)", d, err)
	}
	for _, name := range []string{"", "much", "-1", "5", "NaN", "+Inf"} {
		if d, err := parseDistortion(name, dataset.DefaultDistortion()); err == nil {
			t.Errorf("%q is taken for %+v", name, d)
		}
	}
}
