//go:build !linux && !darwin

package samples

import (
	"errors"
)

var errNoLimits = errors.New("this system has no such limit")

func limitFileSize(uint64) error { return errNoLimits }

func dropRights() error { return errNoLimits }
