// Package files reads and writes files of people: unzipped, ended by a context, whole or not at all, and said in messages.
package files

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// Shown is a label or a file's name as a message may show it: quoted where it holds line ends, escape sequences or anything else
// that a terminal would obey.
func Shown(text string) string {
	if strings.ContainsFunc(text, func(c rune) bool { return !strconv.IsPrint(c) && !unicode.Is(unicode.Zs, c) }) || !utf8.ValidString(text) {
		return strconv.Quote(text)
	}
	return text
}

// Cause takes the operation and the name out of the system's error on a file; a name may be one that was never given.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// Absent tells of the error of a folder whether that is not there; a file may be in its place.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
