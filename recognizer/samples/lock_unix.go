//go:build unix

package samples

import (
	"errors"

	"golang.org/x/sys/unix"
)

// try takes the lock or changes its kind at once; false means that another holds it, and then a lock held before may be gone.
func (l *fileLock) try(exclusive bool) (bool, error) {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	var err error = unix.EINTR
	for errors.Is(err, unix.EINTR) {
		err = unix.Flock(int(l.file.Fd()), how|unix.LOCK_NB)
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// syncFolder makes renames in the folder durable.
func syncFolder(dir string) error {
	f, err := unix.Open(dir, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(f)
	return unix.Fsync(f)
}
