package program

import "inkshade/glcompute/message"

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
