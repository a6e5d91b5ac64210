package compute

import (
	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/internal/gldevice"
)

// maxGroups is the number of workgroups along one axis that every implementation takes.
const maxGroups = 65535

// launch is a kernel with its threads: `items` of them, each of about `work`
// floating-point operations.
type launch struct {
	*gldevice.Kernel[*buffer]
	items, work int  // no items: a thread for each texel of so many rows of the result
	rows        int  // 0 stands for one
	local       int  // threads of a workgroup; 0 stands for what suits the renderer
	otherFetch  bool // reads in the way that the renderer does not prefer
}

type operand = gldevice.Operand[*buffer]

// elementRows is the number of rows of which a thread computes an element on a software
// renderer, where short threads are dear: four took three quarters of the time of one.
const elementRows = 4

// Plan gives each texel of the result a thread.
func (e *executor) Plan(_ *builder, k *gldevice.Kernel[*buffer]) gldevice.Step {
	l := launch{Kernel: k}
	if k.Short && e.software {
		l.rows = min(elementRows, k.Out.Rows)
	}
	return e.plan(l)
}

// binding is an operand with its place: the unit of its buffer texture, or the number of
// its storage buffer.
type binding struct {
	operand
	place          int
	texture, write bool
	of             string // the written operand that is the same matrix
}

// bindings puts written operands first and shares places between none. Of an operand that is
// also written a thread reads what it writes itself, before it does; compilers see to that where
// it reads the same storage buffer, not a texture.
func (l *launch) bindings(viaView bool) []binding {
	writes := append([]operand{{Name: "Out", Matrix: l.Out.Lying()}}, l.Also...)
	var all []binding
	for i, o := range writes {
		all = append(all, binding{operand: o, place: i, write: true})
	}
	for i, o := range l.Reads {
		x := binding{operand: o, place: i, texture: o.Memory.view != 0 && viaView != l.otherFetch}
		for _, w := range writes {
			if w.Memory != o.Memory {
				continue
			}
			if x.texture = x.texture && !l.ReadsOld; !x.texture {
				x.of = w.Name
			}
		}
		if !x.texture {
			x.place += len(writes)
		}
		all = append(all, x)
	}
	return all
}

// plan links the shader and gives the step that binds and dispatches it, in pieces where
// the work is long. The barrier at its end makes the results visible to every way in
// which they can be read next.
func (e *executor) plan(l launch) gldevice.Step {
	l.rows = max(l.rows, 1)
	if l.items == 0 {
		out := l.Out.Lying()
		l.items = (out.Rows + l.rows - 1) / l.rows * out.Stride()
		l.work = l.rows * l.Out.RowsOfTexel() * l.Work
	}
	bindings := l.bindings(e.viaView)
	if l.local == 0 {
		l.local = e.local
	}
	l.Source.Define("LOCAL", l.local).Define("OUT_COLUMN", l.Out.Column()).Define("THREAD_ROWS", l.rows).Define("RESULTS", 1+len(l.Also))
	for _, b := range bindings {
		b.declare(&l.Source, e.library)
	}
	shader := e.gl.Link(l.Op, gldevice.Stage{Type: gl.COMPUTE_SHADER, Text: l.Source.Text(e.gl, e.library, l.File)})
	u := shader.NewUniforms().Int("items", l.items)
	for _, b := range bindings {
		u.Int(b.Name+"_view", b.place).Int(b.Name+"_stride", b.Stride()).Int(b.Name+"_rows", b.Rows).Int(b.Name+"_cols", b.Cols)
	}
	l.Table.Set(u, len(l.Reads))
	u.Add(l.Ints)
	first := u.Location("first")
	pacer := e.gl.NewPacer(max(l.work, 1)*l.local, l.local, maxGroups*l.local)
	dispatch := func(done, count int) {
		gl.Uniform1i(first, int32(done))
		gl.DispatchCompute(uint32((count+l.local-1)/l.local), 1, 1)
	}
	return func() {
		u.Apply()
		for i := range bindings {
			bindings[i].bind()
		}
		l.Table.Bind(len(l.Reads))
		pacer.Run(l.items, dispatch)
		gl.MemoryBarrier(gl.SHADER_STORAGE_BARRIER_BIT | gl.TEXTURE_FETCH_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT)
	}
}

func (b *binding) bind() {
	switch {
	case b.of != "":
	case b.texture:
		gl.ActiveTexture(gl.TEXTURE0 + uint32(b.place))
		gl.BindTexture(gl.TEXTURE_BUFFER, b.Memory.view)
	default:
		gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, uint32(b.place), b.Memory.id)
	}
}

// declare brings what reads the operand and, where it is written, writes it.
func (b *binding) declare(s *gldevice.Source, l gldevice.Library) {
	if b.of != "" {
		for _, part := range []string{"stride", "rows", "cols", "row", "texel", "in", "at", "value"} {
			s.Declare("#define %s_%s %s_%[2]s\n", b.Name, part, b.of)
		}
		return
	}
	access := "readonly"
	if b.write {
		access = ""
	}
	s.Insert(l, "operand.glsl", map[string]any{
		"NAME": b.Name, "PLACE": b.place, "ACCESS": access, "TEXTURE": b.texture, "COLUMN": b.Column(), "WRITTEN": b.write,
		"PADDED": b.Cols%texelValues > 0,
	})
}
