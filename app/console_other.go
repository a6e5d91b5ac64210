//go:build !windows

package main

// leaveConsole is for Windows.
func leaveConsole() {}
