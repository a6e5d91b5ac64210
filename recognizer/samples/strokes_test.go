package samples

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"inkshade/recognizer/ink"
)

func bits(k ink.Ink) [][][4]uint64 {
	out := make([][][4]uint64, len(k))
	for i, s := range k {
		for _, p := range s {
			out[i] = append(out[i], [4]uint64{math.Float64bits(p.X), math.Float64bits(p.Y), math.Float64bits(p.T), math.Float64bits(p.Pressure)})
		}
	}
	return out
}

func roundTrip(t interface {
	Helper()
	Fatalf(string, ...any)
}, k ink.Ink,
) []byte {
	t.Helper()
	b, err := encodeStrokes(k)
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	back, err := decodeStrokes(b)
	if err != nil {
		t.Fatalf("decode: %v", err)
	}
	want, got := bits(k), bits(back)
	if len(want) != len(got) {
		t.Fatalf("%d strokes came back as %d", len(want), len(got))
	}
	for i := range want {
		if len(want[i]) != len(got[i]) {
			t.Fatalf("stroke %d: %d points came back as %d", i, len(want[i]), len(got[i]))
		}
		for j := range want[i] {
			if want[i][j] != got[i][j] {
				t.Fatalf("stroke %d point %d: bits %x came back as %x", i, j, want[i][j], got[i][j])
			}
		}
	}
	return b
}

func TestStrokesComeBackBitForBit(t *testing.T) {
	odd := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 1 << 53, -(1 << 53), 1<<53 - 1, math.MaxFloat64, math.SmallestNonzeroFloat64,
		math.Inf(1), math.Inf(-1), math.NaN(), math.Float64frombits(0x7ff0000000000001), math.Pi, float64(float32(math.Pi)), math.MaxInt64,
	}
	var all ink.Stroke
	for _, a := range odd {
		for _, b := range odd {
			roundTrip(t, ink.Ink{{{X: a, Y: b, T: b, Pressure: a}}})
			all = append(all, ink.Point{X: a, Y: b, T: b, Pressure: a})
		}
	}
	roundTrip(t, ink.Ink{all})
	roundTrip(t, nil)
	roundTrip(t, ink.Ink{{}, {{}}, {}})
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Float32(), func(f float32) float64 { return float64(f) }),
			rapid.Map(rapid.IntRange(-1<<20, 1<<20), func(i int) float64 { return float64(i) }), rapid.SampledFrom(odd))
		point := rapid.Custom(func(t *rapid.T) ink.Point {
			return ink.Point{X: value.Draw(t, "x"), Y: value.Draw(t, "y"), T: value.Draw(t, "t"), Pressure: value.Draw(t, "p")}
		})
		stroke := rapid.Map(rapid.SliceOfN(point, 0, 20), func(p []ink.Point) ink.Stroke { return p })
		roundTrip(t, ink.Ink(rapid.SliceOfN(stroke, 0, 5).Draw(t, "ink")))
	})
}

func TestStrokesAreCompact(t *testing.T) {
	k := ink.Ink{make(ink.Stroke, 100)}
	for i := range k[0] {
		k[0][i] = ink.Point{X: float64(float32(0.1 * float64(i))), Y: float64(float32(0.7 * float64(i))), T: float64(8 * i)}
	}
	if b := roundTrip(t, k); len(b) > 100*9+20 {
		t.Errorf("100 points of a window take %d bytes", len(b))
	}
}

func TestDamagedStrokesAreRefused(t *testing.T) {
	good, err := encodeStrokes(drawing(1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		if _, err := decodeStrokes(good[:i]); err == nil {
			t.Fatalf("the first %d of %d bytes pass", i, len(good))
		}
		bad := append([]byte(nil), good...)
		bad[i] ^= 0x10
		if _, err := decodeStrokes(bad); err == nil {
			t.Fatalf("byte %d changed passes", i)
		}
	}
	if _, err := encodeStrokes(ink.Ink{make(ink.Stroke, ink.MaxPoints+1)}); err == nil {
		t.Error("ink of too many points is taken")
	}
}

// FuzzStrokes feeds bodies with a right checksum, so that the reader behind it meets impossible counts and forms.
func FuzzStrokes(f *testing.F) {
	for n := range 3 {
		b, err := encodeStrokes(drawing(n))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:len(b)-4])
	}
	f.Add([]byte{1, 1, 0xff, 0xff, 0x3f, 0, 0, 0, 0})
	f.Add([]byte{1, 1, 1, 9})
	f.Fuzz(func(t *testing.T, body []byte) {
		k, err := decodeStrokes(withSum(body))
		if err != nil {
			return
		}
		roundTrip(t, k)
	})
}

func withSum(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(append([]byte(nil), body...), crc32.Checksum(body, castagnoli))
}

// A label that is too long is refused before anything is made of it.
func TestLongLabelsTakeNoMemory(t *testing.T) {
	for _, long := range []string{strings.Repeat("a\u0301", 1<<20), strings.Repeat("\u0e01", 4000)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := CleanLabel(long)
		runtime.ReadMemStats(&after)
		if err == nil || after.TotalAlloc-before.TotalAlloc > 1<<16 {
			t.Errorf("%d bytes: %v, having taken %d", len(long), err, after.TotalAlloc-before.TotalAlloc)
		}
	}
	if label, err := CleanLabel(strings.Repeat("\u1112\u1161\u11ab", 21)); err != nil || label != strings.Repeat("한", 21) {
		t.Errorf("a label that is short when composed: %q, %v", label, err)
	}
}
