package fragment

import (
	"math/bits"

	"inkshade/glcompute/message"
)

// planeLayers is the number of layers over which the rows of a matrix are dealt out: as
// many as every desktop OpenGL has render targets, so that one fragment computes eight
// neighbouring rows, and a block of 8 x 4 of a product is read once for all of them.
const planeLayers = 8

// fewestInPlanes is the number of rows from which a matrix lies in planes: a product then reads
// a block of its other factor once for all of them, which pays before all layers are filled.
const fewestInPlanes = 4

// rowBlock is the number of rows of which a folded matrix has a multiple.
const rowBlock = 4

// tallest is the height that a folded matrix may reach before its lines grow.
const tallest = 2048

// layout is where the texels of a matrix lie in a texture array. A matrix of four rows or
// more lies in planes: texel q of row r at x = q, y = r/8 in layer r%8. One that is taller
// than the largest texture goes on beside itself, in strips of planes whose height is a power of
// two. A matrix with fewer rows, or one wider than the largest texture, is folded: its texels,
// row after row, fill the layers line by line, whose width and height are powers of two.
type layout struct {
	rows, stride          int // of the matrix; stride in texels
	values                int // neighbouring columns in a texel: four, or one when unpacked
	folded                bool
	strips                int // of planes, beside one another
	width, height, layers int
	shiftX, shiftY        int // logarithms of the sides of a folded layer, shiftY that of strips' height
}

// newLayout fails when the texels do not fit the largest texture array. Without planes every matrix is folded.
func newLayout(rows, cols, values, maxSide, maxLayers int, planes bool) (layout, error) {
	l := layout{rows: rows, stride: (cols + values - 1) / values, values: values}
	largest := bits.Len(uint(maxSide)) - 1
	l.height, l.strips = (rows+planeLayers-1)/planeLayers, 1
	if l.height > maxSide {
		l.strips, l.shiftY = (l.height+1<<largest-1)>>largest, largest
		l.height = 1 << largest
	}
	if l.width = l.stride * l.strips; planes && rows >= fewestInPlanes && l.width <= maxSide {
		l.layers = planeLayers
		return l, nil
	}
	l.folded, l.strips = true, 1
	texels := l.paddedRows() * l.stride
	// Lines are four texels while the texture is not too tall for that: renderers work on
	// squares of 2 x 2 or 4 x 4 fragments, which are neighbours in the matrix then and read
	// neighbouring texels.
	l.shiftX = min(2, largest)
	for l.shiftX < largest && texels > min(maxSide, tallest)<<l.shiftX {
		l.shiftX++
	}
	l.width = 1 << l.shiftX
	lines := (texels + l.width - 1) / l.width
	if lines <= maxSide {
		// One layer, whose height need not be a power: no index reaches a second.
		l.height, l.layers, l.shiftY = lines, 1, 30-l.shiftX
		return l, nil
	}
	l.shiftY = largest
	l.height = 1 << largest
	l.layers = (lines + l.height - 1) / l.height
	if l.layers > maxLayers {
		return l, message.Errorf("a matrix of %d x %d takes %d texels, and the largest texture has %d layers of %d x %d; use a smaller batch or layer, or the CPU",
			rows, cols, texels, maxLayers, l.width, l.height)
	}
	return l, nil
}

// paddedRows is the number of rows that can be read; those past the last are zero.
func (l *layout) paddedRows() int {
	if l.folded {
		return (l.rows + rowBlock - 1) / rowBlock * rowBlock
	}
	return l.strips * l.height * planeLayers
}

// targets is the number of layers that one fragment writes.
func (l *layout) targets() int {
	if l.folded {
		return 1
	}
	return planeLayers
}

// lines is the number of lines of the layers, from the first on, that hold the matrix.
func (l *layout) lines() int {
	if l.folded {
		return (l.rows*l.stride + l.width - 1) / l.width
	}
	return l.height
}

func (l *layout) texels() int { return l.width * l.height * l.layers }

// fragments is the number of those that write the matrix.
func (l *layout) fragments() int { return l.texels() / l.targets() }

// offset is the place of the first texel of row r when the layers follow one another,
// as they are uploaded and read back. In both layouts the row's other texels follow it.
func (l *layout) offset(r int) int {
	if l.folded {
		return r * l.stride
	}
	line := r / planeLayers
	return (r%planeLayers*l.height+line%l.height)*l.width + line/l.height*l.stride
}
