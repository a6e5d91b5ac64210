package keyboard

import (
	"context"

	"inkshade/glcompute/message"
)

// Above says, of a window that is shown, that it takes the keyboard when it is clicked here.
func Above() func(context.Context, uintptr) error {
	return func(context.Context, uintptr) error {
		return message.Errorf("on macOS a window that is clicked takes the keyboard; click back into the other program")
	}
}
