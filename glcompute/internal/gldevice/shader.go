package gldevice

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/message"
)

// Stage is one shader of a program.
type Stage struct {
	Type uint32 // gl.VERTEX_SHADER, ...
	Text string // the complete source
}

// Shader is a linked program.
type Shader struct {
	id        uint32
	locations map[string]int32
}

// Link gives the program of these stages. Programs are cached by their complete sources
// and live as long as the device; where the driver gives them away they are kept in files
// for the next start.
func (g *GL) Link(op string, stages ...Stage) *Shader {
	key := ""
	for i := range stages {
		if edit := g.options.Edit; edit != nil {
			stages[i].Text = edit(op, stages[i].Text)
		}
		key += stages[i].Text + "\x00"
	}
	s, known := g.linked[key]
	if known {
		return s
	}
	id, restored := g.restore(key)
	if restored {
		g.restored++
	} else {
		id = g.link(op, stages)
		g.keep(key, id)
	}
	s = &Shader{id: id, locations: map[string]int32{}}
	g.linked[key] = s
	return s
}

// link links the stages from their sources.
func (g *GL) link(op string, stages []Stage) uint32 {
	var shaders []uint32
	for _, stage := range stages {
		shaders = append(shaders, g.compile(op, stage))
	}
	id := gl.CreateProgram()
	if len(g.formats) > 0 && g.options.Cache != nil {
		gl.ProgramParameteri(id, gl.PROGRAM_BINARY_RETRIEVABLE_HINT, gl.TRUE)
	}
	for _, s := range shaders {
		gl.AttachShader(id, s)
	}
	gl.LinkProgram(id)
	var ok int32
	if gl.GetProgramiv(id, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		log := infoLog(id, gl.GetProgramiv, gl.GetProgramInfoLog)
		gl.DeleteProgram(id)
		g.refuse(op, log, stages[len(stages)-1].Text)
	}
	g.compiled++
	g.progress()
	return id
}

// compile caches shaders on their own, since many programs share the vertex shader.
func (g *GL) compile(op string, stage Stage) uint32 {
	if s, ok := g.shaders[stage.Text]; ok {
		return s
	}
	if g.Debug >= check.Source {
		g.logf(check.Source, "shader of %s\n%s", op, numbered(stage.Text))
	}
	s := gl.CreateShader(stage.Type)
	text, free := gl.Strs(stage.Text + "\x00")
	gl.ShaderSource(s, 1, text, nil)
	free()
	gl.CompileShader(s)
	var ok int32
	if gl.GetShaderiv(s, gl.COMPILE_STATUS, &ok); ok == gl.FALSE {
		log := infoLog(s, gl.GetShaderiv, gl.GetShaderInfoLog)
		gl.DeleteShader(s)
		g.refuse(op, log, stage.Text)
	}
	g.shaders[stage.Text] = s
	return s
}

// refuse fails with what the driver said of the shader of an operation.
func (g *GL) refuse(op, log, source string) {
	Fail(message.Errorf("the shader of %s for OpenGL %s was refused by the driver: %s\n%s", op, g.Level, log, numbered(source)))
}

func infoLog(id uint32, get func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var n int32
	get(id, gl.INFO_LOG_LENGTH, &n)
	if n <= 1 {
		return "(no log)"
	}
	log := make([]byte, n)
	read(id, n, &n, &log[0])
	return strings.TrimSpace(string(log[:n]))
}

// numbered puts line numbers before the lines, as drivers' logs name them.
func numbered(source string) string {
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(source, "\n"), "\n") {
		fmt.Fprintf(&out, "%4d  %s\n", i+1, line)
	}
	return out.String()
}

// Uniforms are the values of one step. Steps share programs, so they are set anew for
// every step of every replay.
type Uniforms struct {
	shader *Shader
	ints   []struct{ location, value int32 }
}

// NewUniforms starts an empty set for s.
func (s *Shader) NewUniforms() *Uniforms { return &Uniforms{shader: s} }

// Int adds an integer, or the unit of a sampler.
func (u *Uniforms) Int(name string, value int) *Uniforms {
	if l := u.Location(name); l >= 0 {
		u.ints = append(u.ints, struct{ location, value int32 }{l, int32(value)})
	}
	return u
}

// Add adds those of a kernel.
func (u *Uniforms) Add(ints []Int) {
	for _, x := range ints {
		u.Int(x.Name, x.Value)
	}
}

// Apply makes the program current and sets its uniforms.
func (u *Uniforms) Apply() {
	gl.UseProgram(u.shader.id)
	for _, v := range u.ints {
		gl.Uniform1i(v.location, v.value)
	}
}

// Location finds a uniform, -1 for one that the driver has optimised away; OpenGL ignores that.
func (u *Uniforms) Location(name string) int32 {
	l, ok := u.shader.locations[name]
	if !ok {
		l = gl.GetUniformLocation(u.shader.id, gl.Str(name+"\x00"))
		u.shader.locations[name] = l
	}
	return l
}

// formatBytes hold the format of a program binary before it in its cache entry.
const formatBytes = 4

func (g *GL) driver() string {
	return g.Info.Vendor + "\x00" + g.Info.Name + "\x00" + g.Info.Version
}

func (g *GL) binaryKey(sources string) string { return "program\x00" + g.driver() + "\x00" + sources }

// restore gives the linked program of these sources from the cache. The driver checks a
// binary that it is handed; one that it refuses is linked again.
func (g *GL) restore(sources string) (uint32, bool) {
	entry, ok := g.options.Cache.Get(g.binaryKey(sources))
	if !ok || len(entry) <= formatBytes {
		return 0, false
	}
	format := binary.LittleEndian.Uint32(entry)
	if !slices.Contains(g.formats, int32(format)) {
		return 0, false
	}
	code := entry[formatBytes:]
	id := gl.CreateProgram()
	gl.ProgramBinary(id, format, unsafe.Pointer(&code[0]), int32(len(code)))
	var linked int32
	if gl.GetProgramiv(id, gl.LINK_STATUS, &linked); linked == gl.FALSE {
		gl.DeleteProgram(id)
		return 0, false
	}
	return id, true
}

func (g *GL) keep(sources string, id uint32) {
	if len(g.formats) == 0 {
		return
	}
	var n int32
	gl.GetProgramiv(id, gl.PROGRAM_BINARY_LENGTH, &n)
	if n <= 0 {
		return
	}
	entry := make([]byte, formatBytes+n)
	var format uint32
	gl.GetProgramBinary(id, n, &n, &format, unsafe.Pointer(&entry[formatBytes]))
	binary.LittleEndian.PutUint32(entry, format)
	g.options.Cache.Put(g.binaryKey(sources), entry[:formatBytes+n])
}

// Shaders counts the programs that the device has linked from their sources and those that
// it has taken from the cache.
func (d *Device[T]) Shaders() (compiled, restored int) {
	// A closed device has none any more.
	_ = d.thread.Do(func() error {
		compiled, restored = d.gl.compiled, d.gl.restored
		return nil
	})
	return compiled, restored
}
