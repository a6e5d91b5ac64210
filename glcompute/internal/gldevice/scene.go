package gldevice

import "github.com/go-gl/gl/v4.3-core/gl"

// heldScenes is twice the number of scenes that llvmpipe has under way at most.
const heldScenes = 128

// scenes holds a fence for each of the last draws. llvmpipe rasterises draws (its scenes)
// in threads of its own. A scene that is found done is used again, and its fence is freed
// at once, though the thread that has just counted it may still be unlocking it (Mesa,
// lp_setup_get_empty_scene against lp_fence_signal): memory is written after it was freed.
// A sync object keeps the fence; when it is deleted, so many scenes have followed that the
// threads, which take scenes in order, have long left it.
type scenes struct {
	fences [heldScenes]uintptr
	next   int
}

// EndScene is called after the draws into one framebuffer, before anything flushes them.
func (g *GL) EndScene() {
	if g.Info.Software {
		g.scenes.end()
	}
}

func (s *scenes) end() {
	oldest := &s.fences[s.next]
	if *oldest != 0 {
		gl.DeleteSync(*oldest)
	}
	*oldest = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
	s.next = (s.next + 1) % heldScenes
}

// close waits for the last draw and lets go of all.
func (s *scenes) close() {
	gl.Finish()
	for _, f := range s.fences {
		if f != 0 {
			gl.DeleteSync(f)
		}
	}
}
