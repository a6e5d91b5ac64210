package nn

import (
	"strconv"
	"strings"
)

const (
	digits   = "0123456789"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	small    = "abcdefghijklmnopqrstuvwxyz"
)

// usual are the labels of the sets that most models are trained on: those of MNIST and of EMNIST
// (Cohen et al. 2017). Of 27 classes the first one stands for nothing: EMNIST counts its letters
// from 1.
var usual = map[int][]string{
	10: strings.Split(digits, ""),
	26: strings.Split(capitals, ""),
	27: append([]string{"∅"}, strings.Split(capitals, "")...),
	36: strings.Split(digits+capitals, ""),
	47: strings.Split(digits+capitals+"abdefghnqrt", ""),
	62: strings.Split(digits+capitals+small, ""),
}

// UsualLabels gives the labels of so many classes where nothing says what they are: the usual
// ones, or numbers.
func UsualLabels(classes int) []string {
	labels := make([]string, classes)
	if copy(labels, usual[classes]) == classes {
		return labels
	}
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	return labels
}
