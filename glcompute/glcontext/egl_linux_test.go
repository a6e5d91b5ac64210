package glcontext

import "testing"

// Without the library there is an error, and no program that fails to start.
func TestMissingLibrary(t *testing.T) {
	for _, name := range []string{"libEGL-absent.so.1", "libc.so.6"} {
		if _, err := loadEGLFrom(name); err == nil {
			t.Errorf("%s was accepted as libEGL", name)
		} else {
			t.Log(err)
		}
	}
}

// Hardware devices come before software ones, and the display of a session before both.
func TestOrderOfSources(t *testing.T) {
	e, err := loadEGL()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DISPLAY", ":99")
	sources := e.sources()
	if len(sources) == 0 || sources[0].where != "EGL default display" {
		t.Fatalf("sources %+v do not begin with the default display", sources)
	}
	software := false
	for _, s := range sources {
		if software && !s.software {
			t.Errorf("hardware %s comes after software", s.where)
		}
		software = software || s.software
	}
}

// With a DISPLAY that nobody serves, a context is still found.
func TestUnreachableDisplay(t *testing.T) {
	t.Setenv("DISPLAY", ":9999")
	thread, err := Open(Version{3, 3, false})
	if err != nil {
		t.Fatal(err)
	}
	defer thread.Close()
	if thread.Describe() == "EGL default display" {
		t.Error("a context came from a display that is not there")
	}
}
