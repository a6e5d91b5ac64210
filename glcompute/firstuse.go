package glcompute

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/message"
)

// A driver is first used by a process of its own, since it may end the process, never answer, or compute wrongly. What
// came of it is kept beside what was measured, for this build, this environment and these driver files, and counts while the
// driver calls itself by the same vendor, renderer and version.

// patience is how long one step of a check may take, or work where it gets little of a busy processor; pulse is how often the
// checking process says how long it has worked; believed is how long a driver that failed is left out untried: not long where it was
// silent, since it is not known why.
const (
	patience       = 10 * time.Second
	pulse          = time.Second
	believed       = 24 * time.Hour
	believedSilent = 10 * time.Minute
)

var checker []string

// CheckDriversBy says by which command drivers are checked before they are first used, by devices that are opened as Usual: it
// gets the kind of a device as its last argument, and does what CheckDriver does.
func CheckDriversBy(command ...string) { checker = command }

// step is a line that the checking process writes.
type step struct {
	Driver string           `json:"driver,omitempty"` // vendor, renderer and version, as soon as they are known
	Wrong  *message.Message `json:"wrong,omitempty"`  // why the device cannot be used
	Done   bool             `json:"done,omitempty"`
	Used   time.Duration    `json:"used,omitempty"` // of the processor until now: a pulse, which says nothing else
}

// CheckDriver is all that a checking process does: it opens a device of that kind, checks it, and writes how far it has come. It ends
// the process when standard input ends, since then the one that asks is gone.
func CheckDriver(kind DeviceKind, out io.Writer) error { return Usual().checkDriver(kind, out) }

func (o Options) checkDriver(kind DeviceKind, out io.Writer) error {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	e, ok := executorOf(kind)
	if !ok || kind == CPU {
		return message.Errorf("there is no driver of %q to check", kind)
	}
	var lines sync.Mutex
	say := func(s step) error {
		lines.Lock()
		defer lines.Unlock()
		return json.NewEncoder(out).Encode(s)
	}
	go func() {
		for range time.Tick(pulse) {
			_ = say(step{Used: used()}) // the one that asks is gone, and this process will be, too
		}
	}()
	var last step
	o.progress = func(i Info) {
		last.Driver = named(i)
		_ = say(last) // as above
	}
	dev, err := e.open(o)
	if err == nil {
		err = dev.Close()
	}
	if last.Done = true; err != nil {
		last.Wrong = message.Text("%v", err)
	}
	return say(last)
}

// verdict is what came of a check.
type verdict struct {
	Driver string           // empty where there was none
	Ended  string           // how the process ended, where it did so by itself
	Silent bool             // it had to be ended
	Wrong  *message.Message // what it said against a driver that is there
	At     time.Time
}

func (v verdict) err() error {
	switch {
	case v.Silent:
		return message.Errorf("the driver is left out: a process that tried it did not go on for %v", patience)
	case v.Ended != "":
		return message.Errorf("the driver is left out: it ended a process that tried it (%s)", v.Ended)
	case v.Wrong.String() != "" && v.Driver != "":
		return message.Errorf("%v", v.Wrong)
	}
	return nil
}

// opened holds the checks after which a device of this process was opened, by key.
var opened = struct {
	sync.Mutex
	keys map[string]bool
}{keys: map[string]bool{}}

// openChecked opens a device whose driver another process has tried.
func (o Options) openChecked(e executor) (Device, error) {
	if e.kind == CPU || len(o.checker) == 0 {
		return e.open(o)
	}
	opened.Lock()
	defer opened.Unlock()
	files, key := cache.Named(o.Cache), o.checkKey(e.kind)
	if opened.keys[key] {
		return e.open(o)
	}
	v, kept := keptVerdict(files, key)
	for {
		if !kept {
			v = o.try(e.kind)
		}
		if err := v.err(); err != nil {
			v.keep(files, key)
			return nil, err
		}
		// Until it is open it counts as untried: it may end this process even so.
		files.Remove(key)
		dev, err := e.open(o)
		switch {
		case err != nil && v.Driver == "":
			v.keep(files, key)
			return nil, err
		case err != nil:
			return nil, err
		case named(dev.Info()) == v.Driver:
			v.keep(files, key)
			opened.keys[key] = true
			return dev, nil
		}
		if err := dev.Close(); err != nil || !kept {
			return nil, errors.Join(err, message.Errorf("the driver is left out: it is another one than the one that was tried"))
		}
		kept = false
	}
}

func keptVerdict(files *cache.Folder, key string) (v verdict, ok bool) {
	data, ok := files.Get(key)
	ok = ok && json.Unmarshal(data, &v) == nil
	until := v.At.Add(believed)
	if v.Silent {
		until = v.At.Add(believedSilent)
	}
	return v, ok && (v.err() == nil || time.Now().Before(until))
}

func (v verdict) keep(files *cache.Folder, key string) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // words and a time
	}
	files.Put(key, data)
}

// named is how a driver calls itself.
func named(i Info) string { return strings.Join([]string{i.Vendor, i.Name, i.Version}, "; ") }

// try has another process check the driver.
func (o Options) try(kind DeviceKind) verdict {
	v := verdict{At: time.Now()}
	child := exec.Command(o.checker[0], append(slices.Clone(o.checker[1:]), string(kind))...)
	child.WaitDelay = patience
	child.Env = append(os.Environ(), cache.Variable+"="+o.Cache)
	var last words
	child.Stderr = &last
	in, err := child.StdinPipe() // ends when this process does
	out, refused := child.StdoutPipe()
	if err = cmp.Or(err, refused); err == nil {
		err = child.Start()
	}
	if err != nil {
		v.Ended = err.Error()
		return v
	}
	defer in.Close()
	var silent atomic.Bool
	watch := time.AfterFunc(patience, func() {
		silent.Store(true)
		_ = errors.Join(child.Process.Kill(), out.Close()) // or it has just ended
	})
	var at step
	begun, worked, before := clock.Now(), time.Duration(0), time.Duration(0) // of the step, with the pulse before it
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var s step
		switch {
		case json.Unmarshal(lines.Bytes(), &s) != nil: // the driver's
		case s.Used == 0:
			at, begun, before = s, clock.Now(), worked
			watch.Reset(patience)
		case s.Used-worked > pulse/50:
			worked = s.Used
			watch.Reset(patience - min(clock.Since(begun), worked-before))
		}
	}
	watch.Stop()
	v.Driver, v.Wrong, v.Silent = at.Driver, at.Wrong, silent.Load()
	if err := child.Wait(); !at.Done && !v.Silent {
		v.Ended = cmp.Or(last.signal(), fmt.Sprint(err))
	}
	return v
}

// words are the first that a process writes to standard error.
type words []byte

func (w *words) Write(text []byte) (int, error) {
	*w = append(*w, text[:min(len(text), 1<<14-len(*w))]...)
	return len(text), nil
}

// signal is the line in which Go's runtime names the signal that it ends by, if there is one.
func (w *words) signal() string {
	for line := range strings.Lines(string(*w)) {
		if strings.HasPrefix(line, "SIG") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// TryDriver has another process check a driver anew, whatever is kept of it, and gives what the driver calls itself, where it came
// so far. Without CheckDriversBy this process opens it.
func TryDriver(kind DeviceKind) (driver string, err error) {
	o := Usual()
	if len(o.checker) == 0 {
		dev, err := o.Open(kind)
		if err != nil {
			return "", err
		}
		return named(dev.Info()), dev.Close()
	}
	o.Cache = "off"
	v := o.try(kind)
	if err = v.err(); err == nil && v.Wrong.String() != "" {
		err = message.Errorf("%v", v.Wrong)
	}
	return v.Driver, err
}

// checkKey names the check of a kind of device by this build. Which driver answers, and how, depends on the environment; that it
// was updated shows in the folders and libraries of drivers, where it cannot be asked.
func (o Options) checkKey(kind DeviceKind) string {
	parts := append([]string{"driver", string(kind)}, o.checker...)
	add := func(path string) {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			if info, err := os.Stat(real); err == nil {
				parts = append(parts, fmt.Sprint(real, info.Size(), info.ModTime().UnixNano()))
			}
		}
	}
	add(o.checker[0])
	for _, pattern := range []string{
		"/usr/lib*/dri", "/usr/lib/*/dri", "/usr/lib*/libEGL_*.so.0", "/usr/lib/*/libEGL_*.so.0",
		"/usr/share/glvnd/egl_vendor.d", "/usr/share/vulkan/icd.d",
	} {
		found, _ := filepath.Glob(pattern) // the patterns are right
		for _, path := range found {
			add(path)
		}
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if name == "LD_LIBRARY_PATH" || slices.ContainsFunc([]string{
			"LIBGL", "MESA", "GALLIUM", "EGL", "__EGL", "__GL", "VK_", "ZINK", "LP_", "VTEST", "DRI_", "DISPLAY", "WAYLAND_DISPLAY", "WINE",
		}, func(start string) bool { return strings.HasPrefix(name, start) }) {
			parts = append(parts, variable)
		}
	}
	return strings.Join(parts, "\x00")
}
