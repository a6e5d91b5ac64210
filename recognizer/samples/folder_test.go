package samples

import (
	"path/filepath"
	"testing"
)

func TestDataFolder(t *testing.T) {
	abs := func(path string) string {
		a, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	here, xdg := abs("here"), abs("/xdg") // with a drive's letter on Windows
	for _, c := range []struct {
		name, override, system string
		variables              map[string]string
		want                   string
	}{
		{"flag", "/flag", "linux", map[string]string{DirVariable: "/variable", "HOME": "/h"}, abs("/flag")},
		{"relative flag", "here", "linux", nil, here},
		{"variable", "", "linux", map[string]string{DirVariable: "/variable", "XDG_DATA_HOME": xdg, "HOME": "/h"}, abs("/variable")},
		{"xdg", "", "linux", map[string]string{"XDG_DATA_HOME": xdg, "HOME": "/h"}, filepath.Join(xdg, "inkshade")},
		{"relative xdg is ignored", "", "linux", map[string]string{"XDG_DATA_HOME": "xdg", "HOME": "/h"}, filepath.FromSlash("/h/.local/share/inkshade")},
		{"home", "", "linux", map[string]string{"HOME": "/h"}, filepath.FromSlash("/h/.local/share/inkshade")},
		{"mac", "", "darwin", map[string]string{"HOME": "/h", "XDG_DATA_HOME": xdg}, filepath.FromSlash("/h/Library/Application Support/Inkshade")},
		{"windows", "", "windows", map[string]string{"LocalAppData": "/l", "USERPROFILE": "/u"}, filepath.Join("/l", "Inkshade")},
		{"windows profile", "", "windows", map[string]string{"USERPROFILE": "/u"}, filepath.Join("/u", "AppData", "Local", "Inkshade")},
		{"nothing known", "", "linux", nil, ""},
	} {
		got, err := folder(c.override, c.system, func(name string) string { return c.variables[name] })
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}
