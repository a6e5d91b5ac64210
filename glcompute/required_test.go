package glcompute

import (
	"runtime"
	"testing"
)

// required are the devices that the tests prove: on Linux and Windows OpenGL 3.3 and 4.3, in
// continuous integration from Mesa's software renderer. macOS has no compute shaders.
func required() []DeviceKind {
	if runtime.GOOS == "darwin" {
		return []DeviceKind{CPU, Fragment}
	}
	return []DeviceKind{CPU, Fragment, Compute}
}

// TestRequiredDevices fails, and does not skip, where a level of OpenGL is missing: without
// it the shaders would go untested.
func TestRequiredDevices(t *testing.T) {
	found := map[DeviceKind]Availability{}
	for _, a := range List() {
		found[a.Kind] = a
	}
	for _, kind := range required() {
		a, ok := found[kind]
		switch {
		case !ok:
			t.Errorf("there is no %s executor", kind)
		case a.Err != nil:
			t.Errorf("the %s device is required here (on Debian: apt install libegl1 libgl1-mesa-dri): %v", kind, a.Err)
		default:
			t.Logf("%s: %s, %s", kind, a.Info.Name, a.Info.Version)
		}
	}
}
