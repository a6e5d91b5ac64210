package gldevice

import (
	"cmp"
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/clock"
)

// pieceTime is what a piece of a long operation should take: short enough that a desktop
// drawn by the same GPU stays responsive and no watchdog fires, long enough that cutting
// costs nothing.
const pieceTime = 4 * time.Millisecond

// measuredPieces is the number of pieces that are timed; the first of them waits for the
// driver's compiler and does not count.
const measuredPieces = 2

// Pacer cuts one operation into pieces, and finds out how large they may be.
type Pacer struct {
	piece, unit, most int // items; a piece is a multiple of unit
	timed             int // pieces so far; measuredPieces: done
	finish            func()
	flush             func()
	now               func() time.Time
}

// pieceWork is a few milliseconds of a GPU of 100 GFLOP/s: the first pieces of a long
// operation, before it is known how fast the device is.
const pieceWork = 1 << 28

// NewPacer cuts an operation into multiples of so many items, of so many floating-point
// operations together, to most items at the most.
func (g *GL) NewPacer(work, unit, most int) *Pacer {
	units := cmp.Or(g.options.PieceWork, pieceWork) / work
	return newPacer(min(max(units, 1), most/unit)*unit, unit, most, g.options.PieceWork > 0)
}

// newPacer begins with pieces of so many items, a multiple of unit, which the device's
// speed changes, to most at the most, unless they are fixed.
func newPacer(piece, unit, most int, fixed bool) *Pacer {
	p := &Pacer{piece: piece, unit: unit, most: most, finish: gl.Finish, flush: gl.Flush, now: clock.Now}
	if fixed {
		p.timed = measuredPieces
	}
	return p
}

// Run does all items, from the first of each piece so many.
func (p *Pacer) Run(items int, do func(first, count int)) {
	for done := 0; done < items; {
		if done > 0 {
			p.flush()
		}
		n := min(p.piece, items-done)
		if p.timed < measuredPieces && n == p.piece && n < items {
			p.time(func() { do(done, n) })
		} else {
			do(done, n)
		}
		done += n
	}
}

// time does a piece and, after the last that is timed, adapts the size.
func (p *Pacer) time(do func()) {
	p.finish()
	start := p.now()
	do()
	p.finish()
	elapsed := max(p.now().Sub(start), 1)
	if p.timed++; p.timed == measuredPieces {
		units := float64(p.piece/p.unit) * float64(pieceTime) / float64(elapsed)
		p.piece = int(min(max(units, 1), float64(p.most/p.unit))) * p.unit
	}
}
