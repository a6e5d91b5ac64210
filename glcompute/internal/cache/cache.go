// Package cache keeps small files that save time at the next start and can always be made
// again: linked programs and choices. Whatever is wrong with them, they are as if absent.
package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// Variable names the environment variable that moves the cache to another folder, or
// turns it off.
const Variable = "INKSHADE_CACHE"

const off = "off"

// maxBytes is the size beyond which the entries unused for the longest time are removed.
const maxBytes = 64 << 20

// Folder is a folder of entries. A nil Folder is empty and keeps nothing.
type Folder struct {
	path string
	size int64 // limit
}

// Named is the cache of a value of INKSHADE_CACHE: a folder, or "inkshade" among the user's caches where the value is empty;
// nil when it is "off", or when there is no place for caches.
func Named(path string) *Folder {
	if path == off {
		return nil
	}
	if path == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		path = filepath.Join(base, "inkshade")
	}
	return In(path)
}

// In is the cache in the folder of that path, which is made when something is kept; or, where that holds what
// is not ours, in the folder "inkshade" there.
func In(path string) *Folder {
	f := &Folder{path: path, size: maxBytes}
	if f.foreign() {
		f.path = filepath.Join(path, "inkshade")
	}
	f.prune()
	return f
}

// tag is the file that marks a folder as ours, by which programs that save files know it for a cache (bford.info/cachedir).
const (
	tag     = "CACHEDIR.TAG"
	tagText = "Signature: 8a477f597d28d172789f06886806bc55\n# What Inkshade keeps to save time at its next start; it may be removed at any time.\n"
)

func (f *Folder) ours() bool {
	text, err := os.ReadFile(filepath.Join(f.path, tag))
	return err == nil && string(text) == tagText
}

// entryName matches the names of entries, and of parts of them that are being written.
var entryName = regexp.MustCompile(`^([0-9a-f]{32}|part-[0-9]+)$`)

// foreign reports whether the folder is not marked as ours and has files of other names. Folders
// of version 0.2 have no mark.
func (f *Folder) foreign() bool {
	entries, err := os.ReadDir(f.path)
	return err == nil && !f.ours() &&
		slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !entryName.MatchString(e.Name()) })
}

// mark makes the folder and marks it; not where its contents are another's.
func (f *Folder) mark() error {
	if err := os.MkdirAll(f.path, 0o755); err != nil || f.ours() {
		return err
	}
	if f.foreign() {
		return fs.ErrExist
	}
	return f.write(filepath.Join(f.path, tag), []byte(tagText))
}

// Get gives what was kept under a key, if it is there and whole.
func (f *Folder) Get(key string) ([]byte, bool) {
	if f == nil {
		return nil, false
	}
	// What is no file, such as a pipe, could be waited for without end.
	if info, err := os.Stat(f.file(key)); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	entry, err := os.ReadFile(f.file(key))
	if err != nil || len(entry) < sha256.Size {
		return nil, false
	}
	data := entry[sha256.Size:]
	if sum := checksum(key, data); !bytes.Equal(sum[:], entry[:sha256.Size]) {
		return nil, false
	}
	return data, true
}

// Put keeps data under a key. Another process sees the old entry or the new one, never a
// part. An entry that cannot be written is not kept, which costs nothing but time.
func (f *Folder) Put(key string, data []byte) {
	if f == nil || f.mark() != nil {
		return
	}
	sum := checksum(key, data)
	_ = f.write(f.file(key), append(sum[:], data...)) // there is nobody to tell, and nothing is lost
}

// Remove takes what was kept under a key away.
func (f *Folder) Remove(key string) {
	if f != nil && f.ours() {
		_ = os.Remove(f.file(key)) // or it was not there
	}
}

// write puts a whole file in its place.
func (f *Folder) write(path string, data []byte) error {
	part, err := os.CreateTemp(f.path, "part-*")
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	if err = errors.Join(err, part.Close()); err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(part.Name()))
	}
	return err
}

func (f *Folder) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(f.path, hex.EncodeToString(sum[:16]))
}

// checksum covers the key as well, so that an entry under a foreign name is not taken.
func checksum(key string, data []byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte(key+"\x00"), data...))
}

// prune removes the oldest entries of a folder that has grown too large, and nothing else.
func (f *Folder) prune() {
	entries, err := os.ReadDir(f.path)
	if err != nil || !f.ours() {
		return
	}
	var files []fs.FileInfo
	var size int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && entryName.MatchString(e.Name()) {
			files = append(files, info)
			size += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range files {
		if size <= f.size {
			return
		}
		if os.Remove(filepath.Join(f.path, info.Name())) == nil {
			size -= info.Size()
		}
	}
}
