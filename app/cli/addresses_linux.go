package cli

import (
	"fmt"
	"syscall"
)

// leastAddresses is the address space below which the runtime, Mesa and LLVM end with traces of their own: they reserve far more
// than they use.
const leastAddresses = 3 << 30

// checkAddresses fails where the system gives a process too little address space.
func checkAddresses() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur >= leastAddresses {
		return nil
	}
	return fmt.Errorf("the system gives a program %d MB of address space, and Inkshade needs %d MB; raise the limit (ulimit -v unlimited)", limit.Cur>>20, leastAddresses>>20)
}
