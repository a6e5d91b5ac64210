package fragment

import (
	"github.com/go-gl/gl/v3.3-core/gl"

	"inkshade/glcompute/internal/gldevice"
)

// Plan links the shader and gives the step that draws the result: a fragment gives one
// texel of a folded matrix and the same texel of eight rows of one in planes. A texture
// cannot be read while it is drawn into, so an operation that reads its own result draws
// into a second texture, which then changes places with the first.
func (e *executor) Plan(b *builder, k gldevice.Kernel[*texture]) (gldevice.Step, error) {
	return e.plan(b, k, 0, false)
}

// plan is Plan with so many operands, the first of the kernel's, that are read so often
// that a mirror pays where mirrors are wanted.
func (e *executor) plan(b *builder, k gldevice.Kernel[*texture], often int, mirrors bool) (gldevice.Step, error) {
	out := k.Out.Memory
	k.Source.Define("TARGETS", out.targets())
	out.declareOut(&k.Source, k.Out.Column())
	reads, inPlace := make([]input, len(k.Reads)), false
	for i, o := range k.Reads {
		reads[i] = input{texture: o.Memory, mirrored: i < often && mirrors && e.mirrored(o.Memory)}
		reads[i].declare(&k.Source, o.Name, o.Column())
		inPlace = inPlace || o.Memory == out
	}
	shader, err := e.gl.Link(k.Op, e.vertex, gldevice.Stage{Type: gl.FRAGMENT_SHADER, Text: k.Source.Text(e.gl, e.library, k.File)})
	if err != nil {
		return nil, err
	}
	u := shader.NewUniforms().Int("targets", out.targets())
	setShape(u, "Out", k.Out)
	for i, o := range k.Reads {
		u.Int(o.Name+"_view", i)
		setShape(u, o.Name, o.Matrix)
	}
	if k.Uniforms != nil {
		k.Uniforms(u)
	}
	target := &out.surface
	if inPlace {
		spare, err := b.Scratch("the new values of a matrix", k.Out.Rows, k.Out.Cols)
		if err != nil {
			return nil, err
		}
		target = &spare.Memory.surface
	}
	draw := e.drawing(k.Out.RowsOfTexel()*k.Work, out.layout, u)
	return func() {
		for i := range reads {
			reads[i].bind(uint32(i))
		}
		u.Apply()
		draw(target)
		if inPlace {
			out.surface, *target = *target, out.surface
		}
		out.mirror.stale = true
	}, nil
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

// drawing gives the function that draws all layers, in bands of lines where the work is
// long, so that a desktop drawn by the same GPU stays responsive. Lines that hold nothing
// but padding stay as they are, zero.
func (e *executor) drawing(work int, shape layout, u *gldevice.Uniforms) func(*surface) {
	line := max(work, 1) * shape.width * shape.targets()
	band := min(max(e.pieceWork/line, 1), shape.height)
	layer, lines := u.Location("Out_layer"), shape.lines()
	pacer := gldevice.NewPacer(band, 1, shape.height, e.fixedPieces)
	draw := func(y, height int) {
		gl.Viewport(0, int32(y), int32(shape.width), int32(height))
		gl.DrawArrays(gl.TRIANGLES, 0, 3)
	}
	return func(t *surface) {
		for n, f := range t.framebuffers {
			gl.BindFramebuffer(gl.FRAMEBUFFER, f)
			gl.Uniform1i(layer, int32(n))
			pacer.Run(min(shape.height, lines-n*shape.height), draw)
			e.gl.EndScene()
		}
	}
}
