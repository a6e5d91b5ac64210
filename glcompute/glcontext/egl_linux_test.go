package glcontext

import (
	"testing"
	"unsafe"
)

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

// supposed is a context that was never made.
type supposed struct{ way string }

func (s supposed) describe() string               { return s.way }
func (s supposed) procAddr(string) unsafe.Pointer { return nil }
func (s supposed) destroy()                       {}

// A GPU comes before a renderer on the processor, also one with OpenGL ES alone, and a display before devices.
func TestBestWay(t *testing.T) {
	desktop, es := Version{4, 3, false}, Version{3, 1, true}
	for _, c := range []struct {
		what            string
		display, device string // what each offers: the GPU's desktop OpenGL, its OpenGL ES, a processor that draws
		want            string
	}{
		{"a desktop", "gpu", "gpu", "display 4.3"},
		{"a board", "es", "es", "display ES 3.1"},
		{"a remote desktop", "processor", "gpu", "device 4.3"},
		{"a remote board", "processor", "es", "device ES 3.1"},
		{"a virtual display", "processor", "", "display 4.3"},
		{"no display", "", "", "software 4.3"},
	} {
		sources := []eglSource{{where: "display"}, {where: "device"}, {where: "software", software: true}}
		offers := map[string]string{"display": c.display, "device": c.device, "software": "processor"}
		got, v := best(sources, []Version{desktop, es}, func(s eglSource, v Version) (context, bool) {
			switch o := offers[s.where]; {
			case o == "processor", o == "gpu", o == "es" && v.ES:
				return supposed{s.where}, o == "processor"
			}
			return nil, false
		})
		if way := got.describe() + " " + v.String(); way != c.want {
			t.Errorf("%s: %s, want %s", c.what, way, c.want)
		}
	}
}

// A later version stands in where the first cannot be had, and is what the thread tells.
func TestAnotherVersionStandsIn(t *testing.T) {
	thread, err := Open(Version{9, 9, false}, Version{3, 0, true})
	if err != nil {
		t.Fatal(err)
	}
	defer thread.Close()
	if v := thread.Version(); v.String() != "ES 3.0" {
		t.Errorf("the context is of version %s", v)
	}
}
