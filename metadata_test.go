package inkshade

import "testing"

func TestAboutIsComplete(t *testing.T) {
	about := About()
	if about.Name != "Inkshade" || about.ID == "" || about.Version == "" || about.Build < 1 {
		t.Errorf("FyneApp.toml gives %+v; want name, identifier, version and build", about)
	}
}
