package keyboard

import (
	"context"

	"inkshade/glcompute/message"
)

// Owner is who had the keyboard before a window of ours was shown.
type Owner struct{}

// CurrentOwner is nobody that could be named here.
func CurrentOwner() *Owner { return &Owner{} }

// Above says that a window of the toolkit takes the keyboard when it is clicked here.
func (*Owner) Above(context.Context, uintptr) error {
	return message.Errorf("on macOS a window that is clicked takes the keyboard; click back into the other program")
}
