package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
	must(t, inWords(&b, deviceReports(machine), devicesWords))
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

func TestReportOfDevicesGoesIntoAFolderThatIsThere(t *testing.T) {
	got := command(t, "devices", "--report", filepath.Join(t.TempDir(), "missing", "report.json"))
	got.wantStatus(t, statusFailed)
	if strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, "choose a folder that exists") {
		t.Errorf("said %q", got.stderr)
	}
}

func TestDevicesStopOnRequest(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report.json")
	for _, args := range [][]string{{"devices"}, {"devices", "--report", report}} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		got := commandIn(t, ctx, Window{}, args...)
		got.wantStatus(t, statusFailed)
		if _, err := os.Stat(report); err == nil || !strings.Contains(got.stderr, "stopped on request") {
			t.Errorf("%s: a report %v; said %q", args, err, got.stderr)
		}
	}
}

func TestReportOfDevices(t *testing.T) {
	all := reportedBatches
	reportedBatches = []int{1, 3}
	defer func() { reportedBatches = all }()
	path := filepath.Join(t.TempDir(), "report.json")
	got := command(t, "devices", "--report", path)
	got.wantStatus(t, statusOK)
	if !strings.Contains(got.stderr, "trying the driver of compute\n") || !strings.Contains(got.stderr, "measuring cpu, 3 drawings at once\n") {
		t.Errorf("no progress is told: %q", got.stderr)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r driverReport
	decode(t, string(text), &r)
	if len(r.Devices) != 3 || len(r.Checks) != 2 || len(r.Times)%2 != 0 || len(r.Times) < 2 || r.System == "" {
		t.Errorf("%+v", r)
	}
	for _, of := range r.Times {
		if of.Time <= 0 || !of.Same {
			t.Errorf("%+v", of)
		}
	}
	host, _ := os.Hostname()
	home, _ := os.UserHomeDir()
	for _, personal := range []string{host, home} {
		if len(personal) > 3 && strings.Contains(string(text), personal) {
			t.Errorf("the report has %q", personal)
		}
	}
}
