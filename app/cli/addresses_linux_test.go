package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Where there is little address space the program says so instead of ending with a trace.
func TestLittleAddressSpace(t *testing.T) {
	const child = "INKSHADE_TEST_ADDRESSES"
	if os.Getenv(child) != "" {
		os.Exit(Execute(Window{}))
	}
	run := exec.Command("sh", "-c", `ulimit -v 2500000; exec "$0" -test.run TestLittleAddressSpace`, os.Args[0])
	run.Env = append(os.Environ(), child+"=1")
	if said, err := run.CombinedOutput(); err == nil || !strings.Contains(string(said), "2441 MB of address space") || strings.Contains(string(said), "goroutine") {
		t.Errorf("%v: %s", err, said)
	}
	if err := checkAddresses(); err != nil {
		t.Error(err)
	}
}
