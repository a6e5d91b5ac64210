package cli

import (
	"fmt"
	"strconv"
)

const distortUsage = "of the training images: none, default, strong, or a number to multiply the default with"

// strongDistortion is the share of the default at which a reader begins to doubt.
const strongDistortion = 1.3

// largestDistortion bounds the number: beyond it nothing is left of a character.
const largestDistortion = 4

// parseDistortion gives what --distort names, of characters or of lines.
func parseDistortion[D interface{ Times(float64) D }](name string, usual D) (none D, err error) {
	switch name {
	case "none":
		return none, nil
	case "default":
		return usual, nil
	case "strong":
		return usual.Times(strongDistortion), nil
	}
	factor, err := strconv.ParseFloat(name, 64)
	if err != nil || !(factor >= 0 && factor <= largestDistortion) {
		return none, fmt.Errorf("--distort %s is unknown; choose none, default, strong, or a number from 0 to %d", name, largestDistortion)
	}
	return usual.Times(factor), nil
}
