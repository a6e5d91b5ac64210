package glcompute

import (
	"regexp"
	"strings"
	"testing"
)

// Each fault that drivers have had (docs/drivers.md) is put into the shaders, and found before the device is used.
func TestFaultsOfDriversAreFound(t *testing.T) {
	replaced := func(pattern, by string) func(op, text string) string {
		return func(_, text string) string { return regexp.MustCompile(pattern).ReplaceAllString(text, by) }
	}
	for _, c := range []struct {
		fault string
		kinds []DeviceKind
		edit  func(op, text string) string
		found string
	}{
		{"the low float is lost", VariantKinds(), func(_, text string) string {
			if strings.Contains(text, "Rounded0_view") && strings.Contains(text, "chosen(v") {
				return replaced(`result0 = \w+;`, "result0 = VALUE(0.0);")("", text)
			}
			return replaced(`precise VALUE (\w+) = (\w+) - (\w+);`, "VALUE $1 = VALUE(0.0);")("", text)
		}, "two floats"},
		{"isnan is optimised away", VariantKinds(), replaced(`mix\(mix\(v, a, isnan\(a\)\), b, isnan\(b\)\)`, "v"), "NaN"},
		{"values of an earlier pass", VariantKinds(), func(op, text string) string {
			if op == "transpose" {
				return strings.ReplaceAll(text, "[lane]", "[lane > 0 ? lane - 1 : lane]")
			}
			return text
		}, "pass"},
		{"sizes of an earlier pass", []DeviceKind{Compute}, func(op, text string) string {
			if op == "product, add" {
				return replaced(`innerLast = innerTo`, "innerLast = min(innerTo, 200)")(op, text)
			}
			return text
		}, "sizes from pass to pass"},
		{"sixteen bits", VariantKinds(), replaced(`(\tresult\d+) = (\w+);`, "$1 = floor($2 * 2048.0 + 0.5) / 2048.0;"), "computes wrongly"},
		{"coordinates are off by a little", []DeviceKind{Fragment}, replaced(`gl_FragCoord\.x`, "(gl_FragCoord.x * 1.00005)"), "wide matrices"},
		{"a loop ends too early", VariantKinds(), replaced(`innerLast = innerTo`, "innerLast = innerTo - 1"), "training step"},
	} {
		for _, kind := range c.kinds {
			dev, err := Options{Cache: "off", edit: c.edit}.Open(kind)
			if err == nil {
				dev.Close()
				t.Errorf("%s: %s was not found", kind, c.fault)
			} else if !strings.Contains(err.Error(), c.found) {
				t.Errorf("%s: %s: %v, want %q", kind, c.fault, err, c.found)
			}
		}
	}
}

// Where compute shaders are offered and wrong, fragment shaders are taken.
func TestFragmentShadersStandInForWrongComputeShaders(t *testing.T) {
	dev := Options{Cache: "off", edit: func(_, text string) string {
		if strings.Contains(text, "local_size_x") {
			return everyProduct(text)
		}
		return text
	}}.OpenOrCPU(Auto)
	defer dev.Close()
	c := dev.(*copies)
	if len(c.devices) != 2 || c.devices[1].Info().Kind != Fragment {
		t.Errorf("%+v", dev.Info())
	}
}
