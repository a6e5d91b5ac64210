package setting

import (
	"os"
	"path/filepath"
	"testing"
)

// What one program sets counts in all others, and none takes back what another has set.
func TestProgramsShareSettings(t *testing.T) {
	dir, former := filepath.Join(t.TempDir(), "settings"), kept{PenWidth.Key: 2.0, Appearance.Key: "dark"}
	a, b := InFiles(dir, former), InFiles(dir, former)
	if PenWidth.Get(a) != 2 || Appearance.Get(b) != "dark" || Ruled.Get(a) {
		t.Error("what was set before does not count")
	}
	PenWidth.Set(a, 1.4)
	Ruled.Set(b, true)
	Device.Set(b, "cpu")
	TextSize.Set(a, 1.5)
	for _, p := range []Preferences{a, b, InFiles(dir, former)} {
		if PenWidth.Get(p) != 1.4 || !Ruled.Get(p) || Device.Get(p) != "cpu" || TextSize.Get(p) != 1.5 || Appearance.Get(p) != "dark" {
			t.Errorf("pen %v, lines %v, device %q, text %v, %s", PenWidth.Get(p), Ruled.Get(p), Device.Get(p), TextSize.Get(p), Appearance.Get(p))
		}
	}
	if former[PenWidth.Key] != 2.0 {
		t.Error("what was set before is changed")
	}
}

func TestDamagedAndUnwritableSettings(t *testing.T) {
	dir := t.TempDir()
	p := InFiles(dir, kept{PenWidth.Key: 2.0})
	if err := os.WriteFile(filepath.Join(dir, PenWidth.Key+".json"), []byte(`"wi`), 0o600); err != nil {
		t.Fatal(err)
	}
	if PenWidth.Get(p) != 2 {
		t.Errorf("pen %v of a damaged file", PenWidth.Get(p))
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p = InFiles(filepath.Join(file, "settings"), kept{})
	PenWidth.Set(p, 3)
	LineMode.Set(p, true)
	if PenWidth.Get(p) != 3 || !LineMode.Get(p) {
		t.Error("what cannot be written does not count until the end")
	}
}
