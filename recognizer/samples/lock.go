package samples

import (
	"errors"
	"os"
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
