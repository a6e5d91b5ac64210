//go:build !linux

package cli

// checkAddresses fails where the system gives a process too little address space, which is limited on Linux alone.
func checkAddresses() error { return nil }
