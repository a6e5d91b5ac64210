package fragment

import (
	"fmt"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/internal/gldevice"
)

// Plan links the shader and gives the step that draws the result: a fragment gives one
// texel of a folded matrix and the same texel of eight rows of one in planes. A texture
// cannot be read while it is drawn into, so an operation that reads its own result draws
// into a second texture, which then changes places with the first.
func (e *executor) Plan(b *builder, k *gldevice.Kernel[*texture]) gldevice.Step {
	return e.plan(b, drawn{Kernel: k, mirrors: e.mirrors})
}

// drawn is a kernel with what there is to say about how it is drawn.
type drawn struct {
	*gldevice.Kernel[*texture]
	// often is the number of operands, the kernel's first, that are read so often that a
	// mirror pays; the others are read from the mirror that they may have.
	often   int
	mirrors bool // are wanted
}

func (e *executor) plan(b *builder, k drawn) gldevice.Step {
	outs := []*texture{k.Out.Memory}
	for _, o := range k.Also {
		outs = append(outs, o.Memory)
	}
	out := outs[0]
	k.Source.Define("RESULTS", len(outs)).Define("TARGET_ROWS", out.targets()).Define("TARGETS", len(outs)*out.targets()).
		Define("OUT_COLUMN", k.Out.Column())
	k.Source.Insert(e.library, "place.glsl", out.words("Out"))
	reads, inPlace := make([]input, len(k.Reads)), make([]bool, len(outs))
	for i, o := range k.Reads {
		reads[i] = input{texture: o.Memory, mirrored: k.mirrors && (o.Memory.mirror.view != 0 || i < k.often && e.mirrored(o.Memory))}
		words := o.Memory.words(o.Name)
		words["MIRRORED"], words["COLUMN"] = reads[i].mirrored, o.Column()
		k.Source.Insert(e.library, "operand.glsl", words)
		for n := range outs {
			inPlace[n] = inPlace[n] || o.Memory == outs[n] && !reads[i].mirrored
		}
	}
	shader := e.gl.Link(k.Op, e.vertex, gldevice.Stage{Type: gl.FRAGMENT_SHADER, Text: k.Source.Text(e.gl, e.library, k.File)})
	u := shader.NewUniforms().Int("targets", out.targets())
	setShape(u, "Out", k.Out.Lying())
	for i, o := range k.Reads {
		u.Int(o.Name+"_view", i)
		setShape(u, o.Name, o.Matrix)
	}
	k.Table.Set(u, len(k.Reads))
	u.Add(k.Ints)
	targets := make([]*surface, len(outs))
	for n, out := range outs {
		targets[n] = &out.surface
		if inPlace[n] {
			targets[n] = &b.Scratch(fmt.Sprint("new values of result ", n), k.Out.Rows, k.Out.Cols).Memory.surface
		}
	}
	draw := e.drawing(k.Out.RowsOfTexel()*k.Work, out.layout, u)
	return func() {
		for i := range reads {
			reads[i].bind(uint32(i))
		}
		k.Table.Bind(len(reads))
		u.Apply()
		draw(targets)
		for n, out := range outs {
			if inPlace[n] {
				out.surface, *targets[n] = *targets[n], out.surface
			}
			out.mirror.stale = true
		}
	}
}

// input is a matrix that a shader reads, from its texture or from its mirror.
type input struct {
	*texture
	mirrored bool
}

func (in *input) bind(unit uint32) {
	gl.ActiveTexture(gl.TEXTURE0 + unit)
	if in.mirrored {
		in.refresh()
		gl.BindTexture(gl.TEXTURE_BUFFER, in.mirror.view)
		return
	}
	gl.BindTexture(gl.TEXTURE_2D_ARRAY, in.id)
}

// drawing gives the function that draws all layers of one surface, or of several side by side, in
// bands of lines where the work is long, so that a desktop drawn by the same GPU stays
// responsive. Lines that hold nothing but padding stay as they are, zero.
func (e *executor) drawing(work int, shape layout, u *gldevice.Uniforms) func([]*surface) {
	layer, lines := u.Location("Out_layer"), shape.lines()
	pacer := e.gl.NewPacer(max(work, 1)*shape.width*shape.targets(), 1, shape.height)
	draw := func(y, height int) {
		gl.Viewport(0, int32(shape.top+y), int32(shape.width), int32(height))
		gl.DrawArrays(gl.TRIANGLES, 0, 3)
		e.gl.EndScene() // of each band: the pacer flushes between them
	}
	return func(targets []*surface) {
		for n, f := range targets[0].framebuffers {
			if len(targets) == 1 {
				gl.BindFramebuffer(gl.FRAMEBUFFER, f)
			} else {
				e.bindBeside(targets, n)
			}
			gl.Uniform1i(layer, int32(n))
			pacer.Run(min(shape.height, lines-n*shape.height), draw)
		}
	}
}

// bindBeside makes a layer of several surfaces the targets of what is drawn next.
func (e *executor) bindBeside(all []*surface, layer int) {
	f := e.beside[len(all)]
	if f == 0 {
		gl.GenFramebuffers(1, &f)
		e.beside[len(all)] = f
		gl.BindFramebuffer(gl.FRAMEBUFFER, f)
		gl.DrawBuffers(int32(len(all)), &attachments[0])
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, f)
	for i, s := range all {
		gl.FramebufferTextureLayer(gl.FRAMEBUFFER, attachments[i], s.id, 0, int32(layer))
	}
}

// attachments are as many as every implementation has.
var attachments = func() (all [planeLayers]uint32) {
	for i := range all {
		all[i] = gl.COLOR_ATTACHMENT0 + uint32(i)
	}
	return all
}()
