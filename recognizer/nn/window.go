package nn

import (
	"fmt"
	"strings"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// over is a window on an image of that shape.
func over(w glcompute.Window, in Shape) glcompute.Window {
	w.Height, w.Width = in.Height, in.Width
	return w
}

// windowed is the shape of what is made through a window.
func windowed(w glcompute.Window, in Shape, channels int) (Shape, error) {
	w = over(w, in)
	if err := w.Check(); err != nil {
		return Shape{}, err
	}
	if w.KernelHeight > mostValues/w.KernelWidth {
		return Shape{}, message.Errorf("a window of %d x %d is too large", w.KernelHeight, w.KernelWidth)
	}
	height, width := w.Output()
	return Shape{height, width, channels}, nil
}

// windowWords is a window as a file of layers has it: "5x5 stride 2 padding 1". stride and
// what else is as usual is left out.
func windowWords(w glcompute.Window, stride int) string {
	words := []string{fmt.Sprintf("%dx%d", w.KernelHeight, w.KernelWidth)}
	if y, x := max(w.StrideY, 1), max(w.StrideX, 1); y != stride || x != stride {
		words = append(words, "stride "+pair(y, x))
	}
	switch {
	case w.Top == w.Bottom && w.Left == w.Right && w.Top+w.Left > 0:
		words = append(words, "padding "+pair(w.Top, w.Left))
	case w.Top+w.Left+w.Bottom+w.Right > 0:
		words = append(words, fmt.Sprintf("padding %d,%d,%d,%d", w.Top, w.Left, w.Bottom, w.Right))
	}
	if y, x := max(w.DilationY, 1), max(w.DilationX, 1); y > 1 || x > 1 {
		words = append(words, "dilation "+pair(y, x))
	}
	return strings.Join(words, " ")
}

// pair is "2" for two equal numbers and else "2x3".
func pair(y, x int) string {
	if y == x {
		return fmt.Sprint(y)
	}
	return fmt.Sprintf("%dx%d", y, x)
}
