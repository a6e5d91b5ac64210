package nn

import (
	"slices"
	"strconv"
	"strings"
)

// Sets of labels that models are trained on.
const (
	Digits   = "0123456789"
	Capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	Small    = "abcdefghijklmnopqrstuvwxyz"
	Signs    = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
)

// usual are the labels of the sets that most models are trained on: those of MNIST and of EMNIST
// (Cohen et al. 2017). Of 27 classes the first one stands for nothing: EMNIST counts its letters
// from 1.
var usual = map[int][]string{
	10: strings.Split(Digits, ""),
	26: strings.Split(Capitals, ""),
	27: append([]string{"∅"}, strings.Split(Capitals, "")...),
	36: strings.Split(Digits+Capitals, ""),
	47: strings.Split(Digits+Capitals+"abdefghnqrt", ""),
	62: strings.Split(Digits+Capitals+Small, ""),
}

// UsualLabels gives the labels of so many classes where nothing says what they are: the usual
// ones, or numbers.
func UsualLabels(classes int) []string {
	labels := slices.Clone(usual[classes])
	for i := len(labels); i < classes; i++ {
		labels = append(labels, strconv.Itoa(i))
	}
	return labels
}
