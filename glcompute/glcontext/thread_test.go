package glcontext

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"inkshade/glcompute/internal/program"
)

// levels are required: the software renderer of Mesa offers them everywhere, and WGL and CGL are asked for no OpenGL ES.
var levels = map[string][]Version{
	"linux": {{3, 3, false}, {4, 3, false}, {3, 0, true}, {3, 1, true}}, "windows": {{3, 3, false}, {4, 3, false}}, "darwin": {{3, 3, false}},
}[runtime.GOOS]

func TestOpenLevels(t *testing.T) {
	for _, v := range levels {
		thread, err := Open(v)
		if err != nil {
			t.Fatalf("OpenGL %s: %v", v, err)
		}
		var found bool
		if err := thread.Do(func() error {
			found = thread.ProcAddr("glGetString") != nil
			return nil
		}); err != nil || !found {
			t.Errorf("OpenGL %s: glGetString found %t, error %v", v, found, err)
		}
		if thread.Describe() == "" {
			t.Errorf("OpenGL %s: no description", v)
		}
		if err := thread.Close(); err != nil {
			t.Errorf("OpenGL %s: close: %v", v, err)
		}
	}
}

func TestImpossibleVersionListsAttempts(t *testing.T) {
	_, err := Open(Version{9, 9, false})
	var none *NoContextError
	if !errors.As(err, &none) {
		t.Fatalf("got %v, want a NoContextError", err)
	}
	if len(none.Attempts) == 0 {
		t.Fatal("the error lists no attempt")
	}
	for _, a := range none.Attempts {
		if !strings.Contains(err.Error(), a.Error()) || !strings.Contains(a.Error(), ": ") {
			t.Errorf("%q does not name the attempt %q and its way", err, a)
		}
		if !errors.Is(err, a) {
			t.Errorf("%q does not wrap %q", err, a)
		}
	}
}

func TestDo(t *testing.T) {
	thread, err := Open(Version{3, 3, false})
	if err != nil {
		t.Fatal(err)
	}
	want := errors.New("from inside")
	if err := thread.Do(func() error { return want }); err != want {
		t.Errorf("got %v, want the function's own error", err)
	}
	if err := thread.Do(func() error { panic("broken") }); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a panic gave %v", err)
	}
	count := 0 // unguarded: only the thread touches it
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				thread.Do(func() error { count++; runtime.Gosched(); return nil })
			}
		})
	}
	all.Wait()
	if count != 400 {
		t.Errorf("%d of 400 functions ran", count)
	}
	for range 2 {
		if err := thread.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	if err := thread.Do(func() error { return nil }); err != program.ErrClosed {
		t.Errorf("after Close: %v", err)
	}
}

// Two threads with a context each live beside each other and close in any order.
func TestTwoThreads(t *testing.T) {
	a, err := Open(Version{3, 3, false})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(Version{4, 3, false})
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	if err := b.Do(func() error { return nil }); err != nil {
		t.Error(err)
	}
	b.Close()
}

func TestIsSoftware(t *testing.T) {
	for renderer, want := range map[string]bool{
		"llvmpipe (LLVM 15.0.6, 256 bits)":           true,
		"softpipe":                                   true,
		"ANGLE (Google, Vulkan 1.3 (SwiftShader))":   true,
		"GDI Generic":                                true,
		"Apple Software Renderer":                    true,
		"NVIDIA H200/PCIe/SSE2":                      false,
		"AMD Radeon Graphics (renoir, LLVM 15.0.6)":  false,
		"Mesa Intel(R) UHD Graphics 620 (WHL GT2)":   false,
		"Microsoft Basic Render Driver (0x0000008C)": true,
	} {
		if got := IsSoftware(renderer); got != want {
			t.Errorf("%q: software %t, want %t", renderer, got, want)
		}
	}
}
