// Package state is what a person has: collections of samples, the models that ship, that were imported or that were trained on
// the samples, the history of the trainings, what can be undone, and settings. It knows no window; window and command line
// stand on it. What changes anything but settings is a Command.
package state

import "errors"

// Command changes something of what a person has, and gives the command that takes that back.
type Command func() (inverse Command, err error)

// Do runs a command that nobody takes back.
func (c Command) Do() error {
	_, err := c()
	return err
}

// inTurn is a command of two functions that take each other back.
func inTurn(do, undo func() error) Command {
	return func() (Command, error) { return inTurn(undo, do), do() }
}

// All is several commands as one: where one fails, those before it are taken back.
func All(commands ...Command) Command {
	return func() (Command, error) {
		back := make([]Command, len(commands))
		for i, c := range commands {
			var err error
			at := len(commands) - 1 - i
			if back[at], err = c(); err != nil {
				return nil, errors.Join(err, All(back[at+1:]...).Do())
			}
		}
		return All(back...), nil
	}
}
