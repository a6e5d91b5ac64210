//go:build !cgo

package cpu

import "testing"

func everyWidth(t *testing.T, test func(t *testing.T)) { test(t) }
