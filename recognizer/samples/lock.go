package samples

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"inkshade/glcompute/message"
)

// fileLock is an advisory lock on a file of its own, shared or exclusive, which the system releases when the process dies. Each
// fileLock stands for itself, also within one process.
type fileLock struct{ file *os.File }

func openLock(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return &fileLock{f}, nil
}

// acquire takes the lock, or changes the one held, and waits for others as long as wait; false means that it could not be had.
func (l *fileLock) acquire(exclusive bool, wait time.Duration) (bool, error) {
	for end := time.Now().Add(wait); ; time.Sleep(10 * time.Millisecond) {
		held, err := l.try(exclusive)
		if err != nil {
			return false, message.Errorf("the folder of %s does not allow file locks (%w): choose another with --data-dir", l.file.Name(), err)
		}
		if held || time.Now().After(end) {
			return held, nil
		}
	}
}

func (l *fileLock) release() error { return l.file.Close() }

// Hold takes the lock on the file at path, exclusive or shared, which is made where it is missing, and waits for others for so
// long, after which it fails with ErrInUse.
func Hold(path string, exclusive bool, wait time.Duration) (release func() error, err error) {
	lock, err := openLock(path)
	if err != nil {
		return nil, err
	}
	held, err := lock.acquire(exclusive, wait)
	if err == nil && !held {
		err = ErrInUse
	}
	if err != nil {
		return nil, errors.Join(err, lock.release())
	}
	return lock.release, nil
}

// DirVariable is the environment variable that names the data folder where no flag does.
const DirVariable = "INKSHADE_DATA_DIR"

// Dir returns the absolute path of the user's data folder, without making it: override (the flag --data-dir) where it is not
// empty, else the variable INKSHADE_DATA_DIR, else the platform's place:
//
//	Linux, BSD  $XDG_DATA_HOME/inkshade, by default ~/.local/share/inkshade
//	macOS       ~/Library/Application Support/Inkshade
//	Windows     %LocalAppData%\Inkshade
//
// A relative XDG_DATA_HOME is ignored, as the XDG Base Directory Specification demands. It fails when no home folder is known.
func Dir(override string) (string, error) {
	return folder(override, runtime.GOOS, os.Getenv)
}

func folder(override, system string, getenv func(string) string) (string, error) {
	if named := cmp.Or(override, getenv(DirVariable)); named != "" {
		return filepath.Abs(named)
	}
	// A variable, and the folder below what it names.
	places := [][2]string{{"XDG_DATA_HOME", "inkshade"}, {"HOME", ".local/share/inkshade"}}
	switch system {
	case "windows":
		places = [][2]string{{"LocalAppData", "Inkshade"}, {"USERPROFILE", "AppData/Local/Inkshade"}}
	case "darwin", "ios":
		places = [][2]string{{"HOME", "Library/Application Support/Inkshade"}}
	}
	for _, place := range places {
		if base := getenv(place[0]); base != "" && (place[0] != "XDG_DATA_HOME" || filepath.IsAbs(base)) {
			return filepath.Join(base, place[1]), nil
		}
	}
	return "", message.Errorf("no home folder is known: name a folder for the samples with --data-dir or %s", DirVariable)
}

// MakeDir makes the data folder, or one in it.
func MakeDir(dir string) error { return explain(message.Text("make the folder %s", dir), makeDir(dir)) }

func makeDir(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	if path, ok := errors.AsType[*fs.PathError](err); ok && !errors.Is(err, fs.ErrPermission) {
		return message.Errorf("no folder can be made there (%s: %w); choose another with --data-dir", path.Path, path.Err)
	}
	return err
}
