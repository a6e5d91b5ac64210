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
	if name == "none" {
		return dataset.Distortion{}, nil
	}
	factor, err := distortionFactor(name)
	return dataset.DefaultDistortion().Times(factor), err
}

// parseLineDistortion gives what --distort names, of lines.
func parseLineDistortion(name string) (dataset.LineDistortion, error) {
	if name == "none" {
		return dataset.LineDistortion{}, nil
	}
	factor, err := distortionFactor(name)
	return dataset.DefaultLineDistortion().Times(factor), err
}

func distortionFactor(name string) (float64, error) {
	switch name {
	case "default":
		return 1, nil
	case "strong":
		return strongDistortion, nil
	}
	factor, err := strconv.ParseFloat(name, 64)
	if err != nil || !(factor >= 0 && factor <= largestDistortion) {
		return 0, fmt.Errorf("--distort %s is unknown; choose none, default, strong, or a number from 0 to %d", name, largestDistortion)
	}
	return factor, nil
}
