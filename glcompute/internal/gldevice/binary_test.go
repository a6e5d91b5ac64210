package gldevice

import (
	"strings"
	"testing"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/internal/cache"
)

// linkOnce opens a device with a cache, links one program twice and says how many
// programs were linked from their sources.
func linkOnce(t *testing.T, files *cache.Folder) (compiled int, key string) {
	t.Helper()
	e := &plain{}
	d := openWith(t, Options{Cache: files}, e, func(g *GL) { e.gl = g })
	defer d.Close()
	err := d.do(func() {
		vertex := "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n"
		fragment := "#version 330 core\nuniform float x;\nout vec4 c;\nvoid main() { c = vec4(x); }\n"
		for range 2 {
			s := d.gl.Link("a test", Stage{gl.VERTEX_SHADER, vertex}, Stage{gl.FRAGMENT_SHADER, fragment})
			if s.NewUniforms().Location("x") < 0 {
				t.Error("the program lacks its uniform")
			}
		}
		key = d.gl.binaryKey(strings.Join([]string{vertex, fragment, ""}, "\x00"))
		compiled = d.gl.compiled
		d.gl.Check("linking")
	})
	if err != nil {
		t.Fatal(err)
	}
	return compiled, key
}

// A second start links nothing, unless what was kept is damaged or the driver refuses it.
func TestProgramsAreKept(t *testing.T) {
	files := cache.In(t.TempDir())
	expect := func(what string, want int) (key string) {
		t.Helper()
		n, key := linkOnce(t, files)
		if n != want {
			t.Errorf("%s: %d programs linked from source, want %d", what, n, want)
		}
		return key
	}
	expect("first start", 1)
	key := expect("second start", 0)
	entry, ok := files.Get(key)
	if !ok {
		t.Fatal("the program is not under its key")
	}
	for what, damaged := range map[string][]byte{
		"a binary of zeros":  append(entry[:formatBytes:formatBytes], make([]byte, len(entry)-formatBytes)...),
		"an unknown format":  append([]byte{1, 2, 3, 4}, entry[formatBytes:]...),
		"nothing but format": entry[:formatBytes:formatBytes],
		"half a binary":      entry[: len(entry)/2 : len(entry)/2],
	} {
		files.Put(key, damaged)
		expect(what, 1)
		expect("after "+what, 0)
	}
	if n, _ := linkOnce(t, nil); n != 1 {
		t.Errorf("without a cache %d programs were linked", n)
	}
}
