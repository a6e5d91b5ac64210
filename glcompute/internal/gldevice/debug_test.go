package gldevice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/check/checktest"
	"inkshade/glcompute/internal/program"
)

// What a device says when it is opened, and when it compiles a program and a shader.
func TestDebugLadderWhileCompiling(t *testing.T) {
	const text = "#version 330 core\nvoid main() { gl_Position = vec4(0.25); }\n"
	for level := range check.Operations + 1 {
		e := &plain{}
		var d *Device[*memory]
		opened := checktest.Said(t, func() { d = openWith(t, Options{Debug: level}, e, func(g *GL) { e.gl = g }) })
		info := d.Info()
		if said := strings.HasPrefix(opened, fmt.Sprintf("inkshade fragment: %s, %s, %s", info.Name, info.Vendor, info.Version)); said != (level >= check.Device) {
			t.Errorf("level %d says %q on opening", level, opened)
		}
		compiled := checktest.Said(t, func() {
			doubling(t, d, program.NewParameter("w", 1, 1, nil))
			if err := d.do(func() { d.gl.compile("an operation", Stage{gl.VERTEX_SHADER, text}) }); err != nil {
				t.Error(err)
			}
		})
		for part, from := range map[string]int{
			"inkshade fragment: compiled 1 operations in ":    check.Times,
			"inkshade fragment: shader of an operation\n":     check.Source,
			"   2  void main() { gl_Position = vec4(0.25); }": check.Source,
		} {
			if strings.Contains(compiled, part) != (level >= from) {
				t.Errorf("level %d says %q on compiling, %q is from level %d on", level, compiled, part, from)
			}
		}
	}
}

// Of two operations that give infinities, and are wrong, the first is named, by Do and by
// Measure alike: the executor of these tests doubles what it should copy.
func TestDebugLadderNamesTheFirstOperation(t *testing.T) {
	for level := range check.Operations + 1 {
		d, _ := open(t)
		d.gl.Debug = level
		p := program.New()
		p.Apply(expr.Identity, p.Apply(expr.Identity, p.Variable(program.NewParameter("w", 1, 3, []float32{1, 3e38, 2}))))
		var run program.Run
		checktest.Said(t, func() {
			var err error
			if run, err = d.Compile(p); err != nil {
				t.Fatal(err)
			}
		})
		for name, replay := range map[string]func() error{
			"Do":      func() error { return run.Do() },
			"Measure": func() error { _, err := run.Measure(); return err },
		} {
			said := checktest.Said(t, func() {
				if err := replay(); err != nil {
					t.Error(err)
				}
			})
			for part, from := range map[string]int{
				"inkshade fragment: upload ":                                          check.Times,
				"inkshade fragment:   identity":                                       check.Times,
				"identity wrote an infinity to t1[1][3] at row 0, column 1\n":         check.Broken,
				"identity disagrees with its reference in t1[1][3] (row 0, column 1)": check.Operations,
			} {
				if strings.Contains(said, part) != (level >= from) {
					t.Errorf("level %d, %s, says %q; %q is from level %d on", level, name, said, part, from)
				}
			}
			if strings.Contains(said, "t2[1][3]") {
				t.Errorf("level %d, %s, names the second operation: %q", level, name, said)
			}
		}
	}
}
