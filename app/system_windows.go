package main

import (
	"syscall"
	"unsafe"
)

var (
	kernel32       = syscall.NewLazyDLL("kernel32.dll")
	consoleMembers = kernel32.NewProc("GetConsoleProcessList")
	freeConsole    = kernel32.NewProc("FreeConsole")
	wineVersion    = syscall.NewLazyDLL("ntdll.dll").NewProc("wine_get_version")
)

// underWine tells whether Windows is Wine's.
func underWine() bool { return wineVersion.Find() == nil }

// leaveConsole closes the console that Windows opens for a program started by a click: no other
// process is in it. The console of a person who typed the command stays.
func leaveConsole() {
	var members [2]uint32
	if n, _, _ := consoleMembers.Call(uintptr(unsafe.Pointer(&members[0])), uintptr(len(members))); n == 1 {
		freeConsole.Call()
	}
}
