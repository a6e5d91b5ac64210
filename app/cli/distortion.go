package cli

import (
	"fmt"
	"strconv"

	"inkshade/recognizer/dataset"
)

const distortUsage = "of the training images: none, default, strong, or a number to multiply the default with"

// strongDistortion is the share of the default at which a reader begins to doubt.
const strongDistortion = 1.3

// largestDistortion bounds the number: beyond it nothing is left of a character.
const largestDistortion = 4

// parseDistortion gives what --distort names.
func parseDistortion(name string) (dataset.Distortion, error) {
	switch name {
	case "none":
		return dataset.Distortion{}, nil
	case "default":
		return dataset.DefaultDistortion(), nil
	case "strong":
		return dataset.DefaultDistortion().Times(strongDistortion), nil
	}
	factor, err := strconv.ParseFloat(name, 64)
	if err != nil || !(factor >= 0 && factor <= largestDistortion) {
		return dataset.Distortion{}, fmt.Errorf("--distort %s is unknown; choose none, default, strong, or a number from 0 to %d", name, largestDistortion)
	}
	return dataset.DefaultDistortion().Times(factor), nil
}
