package gldevice

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// Table is the device's copy of a program.Table, of which there is one for all tables of the
// same content: texels of four whole numbers, row after row, -1 past the last column, in a buffer texture, or in the lines of
// a plain one under OpenGL ES, which may have no others. shaders/table.glsl reads it.
type Table struct {
	stride       int // texels of a row
	bytes        int64
	target       uint32 // of view
	buffer, view uint32 // 0 in the place of the buffer: none
	key          [sha256.Size]byte
	runs         int // open runs that use it
}

// Table gives the device's copy of t, which the run keeps from now on.
func (b *Builder[T]) Table(t *program.Table) *Table {
	r := b.run
	if i := slices.IndexFunc(r.tables, func(u *Table) bool { return u.key == t.Key() }); i >= 0 {
		return r.tables[i]
	}
	u, ok := r.dev.tables[t.Key()]
	if !ok {
		u = r.dev.gl.newTable(t)
		r.dev.tables[u.key] = u
	}
	u.runs++
	r.tables = append(r.tables, u)
	return u
}

// leaveTables gives back the tables that came to the run after the first n.
func (r *Run[T]) leaveTables(n int) {
	for _, u := range r.tables[n:] {
		if u.runs--; u.runs == 0 {
			delete(r.dev.tables, u.key)
			r.dev.gl.freeTable(u)
		}
	}
	r.tables = r.tables[:n]
}

func (g *GL) newTable(t *program.Table) *Table {
	u := &Table{stride: (t.Cols + TexelValues - 1) / TexelValues, key: t.Key()}
	texels := t.Rows * u.stride
	u.bytes = int64(texels * TexelValues * bytesPerValue)
	if most := g.mostTableTexels(); texels > most {
		Fail(message.Errorf("a table of %d x %d takes %d texels, and the largest buffer texture of %s has %d; use smaller images or filters, or the CPU",
			t.Rows, t.Cols, texels, g.Info.Name, most))
	}
	lines := (texels + tableLine - 1) / tableLine
	if g.Level.ES {
		u.bytes = int64(lines * tableLine * TexelValues * bytesPerValue)
	}
	values := slices.Repeat([]int32{-1}, int(u.bytes/bytesPerValue))
	for r := range t.Rows {
		copy(values[r*u.stride*TexelValues:], t.Values()[r*t.Cols:(r+1)*t.Cols])
	}
	gl.GenTextures(1, &u.view)
	if g.Level.ES {
		u.target = gl.TEXTURE_2D
		gl.BindTexture(u.target, u.view)
		gl.TexParameteri(u.target, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
		gl.TexParameteri(u.target, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
		gl.TexImage2D(u.target, 0, gl.RGBA32I, tableLine, int32(lines), 0, gl.RGBA_INTEGER, gl.INT, unsafe.Pointer(&values[0]))
	} else {
		u.target = gl.TEXTURE_BUFFER
		gl.GenBuffers(1, &u.buffer)
		gl.BindBuffer(gl.TEXTURE_BUFFER, u.buffer)
		gl.BufferData(gl.TEXTURE_BUFFER, int(u.bytes), unsafe.Pointer(&values[0]), gl.STATIC_DRAW)
		gl.BindTexture(u.target, u.view)
		gl.TexBuffer(u.target, gl.RGBA32I, u.buffer)
	}
	g.Hold(u.bytes)
	if err := g.Noted(fmt.Sprintf("making a table of %d x %d", t.Rows, t.Cols)); err != nil {
		g.freeTable(u)
		Fail(err)
	}
	return u
}

// tableLine is the number of texels of a line of a table in a plain texture, which shaders/table.glsl knows: the largest side
// that every OpenGL ES 3.0 has.
const tableLine = 2048

func (g *GL) mostTableTexels() int {
	if g.Level.ES {
		return tableLine * g.Info.MaxTexture
	}
	return int(g.Limit(gl.MAX_TEXTURE_BUFFER_SIZE))
}

func (g *GL) freeTable(u *Table) {
	gl.DeleteTextures(1, &u.view)
	gl.DeleteBuffers(1, &u.buffer)
	g.Hold(-u.bytes)
}

// Set makes the table, which may be nil, the one that shaders/table.glsl reads from that
// texture unit, to which Bind binds it for each step.
func (u *Table) Set(uniforms *Uniforms, unit int) {
	if u != nil {
		uniforms.Int("Table_view", unit).Int("Table_stride", u.stride)
	}
}

// Bind implements what Set says.
func (u *Table) Bind(unit int) {
	if u != nil {
		gl.ActiveTexture(gl.TEXTURE0 + uint32(unit))
		gl.BindTexture(u.target, u.view)
	}
}
