package setting

import "testing"

// kept are preferences in a map.
type kept map[string]any

func of[T any](k kept, key string, otherwise T) T {
	if v, ok := k[key].(T); ok {
		return v
	}
	return otherwise
}

func (k kept) StringWithFallback(key, otherwise string) string { return of(k, key, otherwise) }

func (k kept) FloatWithFallback(key string, otherwise float64) float64 { return of(k, key, otherwise) }

func (k kept) BoolWithFallback(key string, otherwise bool) bool { return of(k, key, otherwise) }
func (k kept) SetString(key, value string)                      { k[key] = value }
func (k kept) SetFloat(key string, value float64)               { k[key] = value }
func (k kept) SetBool(key string, value bool)                   { k[key] = value }

func TestSettings(t *testing.T) {
	p := kept{}
	if PenWidth.Get(p) != 1 || Device.Get(p) != "" || Ruled.Get(p) || Appearance.Get(p) != "system" {
		t.Error("without anything set the defaults do not count")
	}
	PenWidth.Set(p, 9)
	Device.Set(p, "cpu")
	Ruled.Set(p, true)
	Appearance.Set(p, "pink")
	TextSize.Set(p, 1.3)
	if PenWidth.Get(p) != 4 || Device.Get(p) != "cpu" || !Ruled.Get(p) || Appearance.Get(p) != "system" || TextSize.Get(p) != 1 {
		t.Errorf("of %v is read %v, %q, %v, %q, %v", p, PenWidth.Get(p), Device.Get(p), Ruled.Get(p), Appearance.Get(p), TextSize.Get(p))
	}
}
