//go:build !windows

package main

// leaveConsole is for Windows.
func leaveConsole() {}

// underWine is for Windows.
func underWine() bool { return false }
