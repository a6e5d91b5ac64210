package samples

import (
	"errors"

	"golang.org/x/sys/windows"
)

// try takes the lock or changes its kind at once; false means that another holds it, and then a lock held before is gone.
func (l *fileLock) try(exclusive bool) (bool, error) {
	h := windows.Handle(l.file.Fd())
	if err := windows.UnlockFileEx(h, 0, 1, 0, new(windows.Overlapped)); err != nil && !errors.Is(err, windows.ERROR_NOT_LOCKED) {
		return false, err
	}
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(h, flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// syncFolder does nothing: Windows has no such call, and NTFS logs its renames.
func syncFolder(string) error { return nil }
