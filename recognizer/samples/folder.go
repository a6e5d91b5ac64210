package samples

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"inkshade/glcompute/message"
)

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
	if override != "" {
		return filepath.Abs(override)
	}
	if named := getenv(DirVariable); named != "" {
		return filepath.Abs(named)
	}
	unknown := message.Errorf("no home folder is known: name a folder for the samples with --data-dir or %s", DirVariable)
	switch system {
	case "windows":
		if local := getenv("LocalAppData"); local != "" {
			return filepath.Join(local, "Inkshade"), nil
		}
		if home := getenv("USERPROFILE"); home != "" {
			return filepath.Join(home, "AppData", "Local", "Inkshade"), nil
		}
	case "darwin", "ios":
		if home := getenv("HOME"); home != "" {
			return filepath.Join(home, "Library", "Application Support", "Inkshade"), nil
		}
	default:
		if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
			return filepath.Join(data, "inkshade"), nil
		}
		if home := getenv("HOME"); home != "" {
			return filepath.Join(home, ".local", "share", "inkshade"), nil
		}
	}
	return "", unknown
}

// MakeDir makes the data folder, or one in it.
func MakeDir(dir string) error { return explain(message.Text("make the folder %s", dir), makeDir(dir)) }

func makeDir(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	var path *fs.PathError
	if errors.As(err, &path) && !errors.Is(err, fs.ErrPermission) {
		return message.Errorf("no folder can be made there (%s: %w); choose another with --data-dir", path.Path, path.Err)
	}
	return err
}
