package program

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"inkshade/glcompute/message"
)

// Table is an immutable matrix of whole numbers that says where operations read: start
// addresses and offsets of a convolution, groups of a reduction. -1 reads as zero. It is made on
// the host once for a geometry, and devices keep one copy of tables with the same content.
type Table struct {
	Rows, Cols int
	values     []int32
	key        [sha256.Size]byte
}

// NewTable makes a table of values, row-major, which must not change any more. It panics when
// the length does not fit the shape.
func NewTable(rows, cols int, values []int32) *Table {
	if rows <= 0 || cols <= 0 || len(values) != rows*cols {
		panic(fmt.Sprintf("program: a table [%d][%d] of %d values", rows, cols, len(values)))
	}
	t := &Table{Rows: rows, Cols: cols, values: values}
	text := binary.LittleEndian.AppendUint32(nil, uint32(cols))
	for _, v := range values {
		text = binary.LittleEndian.AppendUint32(text, uint32(v))
	}
	t.key = sha256.Sum256(text)
	return t
}

// Values are row-major and must not be changed.
func (t *Table) Values() []int32 { return t.values }

// At is the value in row r and column c.
func (t *Table) At(r, c int) int { return int(t.values[r*t.Cols+c]) }

// Key is the same for tables of the same content.
func (t *Table) Key() [sha256.Size]byte { return t.key }

// Transposed gives the table [Cols][Rows] with rows and columns changed over.
func (t *Table) Transposed() *Table {
	values := make([]int32, 0, len(t.values))
	for c := range t.Cols {
		for r := range t.Rows {
			values = append(values, t.values[r*t.Cols+c])
		}
	}
	return NewTable(t.Cols, t.Rows, values)
}

// Inverse gives the table [rows][Cols] of where, in each column, a value stands: entry
// [q][c] is the row r with At(r, c) == q, or -1. It panics where two rows of a column have the
// same value, or one beyond rows.
func (t *Table) Inverse(rows int) *Table {
	values := slices.Repeat([]int32{-1}, rows*t.Cols)
	for r := range t.Rows {
		for c := range t.Cols {
			q := t.At(r, c)
			if q < 0 {
				continue
			}
			if q >= rows || values[q*t.Cols+c] >= 0 {
				panic(fmt.Sprintf("program: the table [%d][%d] has no inverse of %d rows: value %d in column %d", t.Rows, t.Cols, rows, q, c))
			}
			values[q*t.Cols+c] = int32(r)
		}
	}
	return NewTable(rows, t.Cols, values)
}

// readers gives the table of which rows hold each of the values 0 to values-1, -1 filling up.
func (t *Table) readers(values int) *Table {
	rows, most := make([][]int32, values), 1
	for r := range t.Rows {
		for c := range t.Cols {
			if q := t.At(r, c); q >= 0 {
				rows[q] = append(rows[q], int32(r))
				most = max(most, len(rows[q]))
			}
		}
	}
	flat := make([]int32, 0, values*most)
	for _, row := range rows {
		for len(row) < most {
			row = append(row, -1)
		}
		flat = append(flat, row...)
	}
	return NewTable(values, most, flat)
}

// Window says which positions of an image another image is made from: of a convolution or a
// pooling. Images are [N·Height·Width][channels], positions in rows.
type Window struct {
	Height, Width             int // of the input image
	KernelHeight, KernelWidth int
	StrideY, StrideX          int // 0 stands for 1
	Top, Left, Bottom, Right  int // padding
	DilationY, DilationX      int // 0 stands for 1
}

// Output is the height and width of the result, which must be at least 1.
func (w Window) Output() (height, width int) {
	w = w.defaulted()
	height = (w.Height+w.Top+w.Bottom-w.DilationY*(w.KernelHeight-1)-1)/w.StrideY + 1
	width = (w.Width+w.Left+w.Right-w.DilationX*(w.KernelWidth-1)-1)/w.StrideX + 1
	return height, width
}

func (w Window) defaulted() Window {
	w.StrideY, w.StrideX = max(w.StrideY, 1), max(w.StrideX, 1)
	w.DilationY, w.DilationX = max(w.DilationY, 1), max(w.DilationX, 1)
	return w
}

// Check reports a window that no result can be made through.
func (w Window) Check() error {
	w = w.defaulted()
	reachY, reachX := w.DilationY*(w.KernelHeight-1)+1, w.DilationX*(w.KernelWidth-1)+1
	if w.Height < 1 || w.Width < 1 || w.KernelHeight < 1 || w.KernelWidth < 1 || min(w.Top, w.Left, w.Bottom, w.Right) < 0 ||
		w.Height+w.Top+w.Bottom < reachY || w.Width+w.Left+w.Right < reachX {
		return message.Errorf("a window of %d x %d does not fit an image of %d x %d with its padding", reachY, reachX, w.Height, w.Width)
	}
	return nil
}

// Table gives the input position of each output position (row) and tap (column), row-major in
// both images; -1 is padding. Entry [p][t] is start[p] + offset[t] in the padded image: start
// addresses and offsets computed beforehand (claim 1 of US 10,255,547, NVIDIA, multi-convolution,
// 2014), put together so that a reader needs one look-up and no test for the border.
func (w Window) Table() *Table {
	w = w.defaulted()
	outHeight, outWidth := w.Output()
	values := make([]int32, 0, outHeight*outWidth*w.KernelHeight*w.KernelWidth)
	for oy := range outHeight {
		for ox := range outWidth {
			for ky := range w.KernelHeight {
				for kx := range w.KernelWidth {
					y, x, value := oy*w.StrideY+ky*w.DilationY-w.Top, ox*w.StrideX+kx*w.DilationX-w.Left, -1
					if y >= 0 && x >= 0 && y < w.Height && x < w.Width {
						value = y*w.Width + x
					}
					values = append(values, int32(value))
				}
			}
		}
	}
	return NewTable(outHeight*outWidth, w.KernelHeight*w.KernelWidth, values)
}
