package cli

import (
	"errors"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

var machine = []glcompute.Availability{
	{Kind: glcompute.CPU, Info: glcompute.Info{Kind: glcompute.CPU, Name: "A processor", Version: "gonum"}},
	{Kind: glcompute.Fragment, Info: glcompute.Info{
		Kind: glcompute.Fragment, Name: "llvmpipe", Vendor: "Mesa", Version: "3.3 (Core Profile)",
		Software: true, MaxTexture: 8192, Differs: message.Text("a program is done one by one"),
	}},
	{Kind: glcompute.Compute, Err: errors.New("OpenGL 4.3 was asked for, the driver has 4.1")},
}

func TestDevicesForPeople(t *testing.T) {
	var b strings.Builder
	writeDevices(&b, deviceReports(machine))
	want := `cpu       A processor
          gonum
fragment  llvmpipe (software renderer)
          3.3 (Core Profile), Mesa; textures up to 8192 x 8192 texels
          differs from the processor: a program is done one by one
compute   not available: OpenGL 4.3 was asked for, the driver has 4.1
`
	if b.String() != want {
		t.Errorf("got:\n%swant:\n%s", b.String(), want)
	}
}

func TestDevicesOfThisMachine(t *testing.T) {
	got := command(t, "devices", "--json")
	got.wantStatus(t, statusOK)
	var reports []deviceReport
	decode(t, got.stdout, &reports)
	kinds := map[glcompute.DeviceKind]deviceReport{}
	for _, r := range reports {
		kinds[r.Kind] = r
		if !r.Available && r.Reason == "" || r.Available && (r.Renderer == "" || r.Version == "") {
			t.Errorf("device %+v: an available one needs a renderer and a version, another one a reason", r)
		}
	}
	if len(kinds) != 3 || !kinds[glcompute.CPU].Available {
		t.Errorf("devices %v, want the cpu for certain, fragment and compute", kinds)
	}
}
