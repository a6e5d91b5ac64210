package samples

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
)

// The encoding of ink in the column samples.strokes, version 1. Numbers are little-endian; a varint is that of encoding/binary.
//
//	byte      version, 1
//	uvarint   number of strokes S
//	uvarint   points of stroke 1 .. S; their sum is P
//	4 columns X, Y, T, Pressure of all P points in order, each a byte that names its form, then its values:
//	            0  nothing: every value is +0
//	            1  P float64
//	            2  P float32; every value is exactly one
//	            3  P varints: each value minus the one before (the first minus 0); every value is an integer below 2^53
//	uint32    CRC-32C of all bytes before
//
// The shortest form that gives back every bit is taken, so ink comes back exactly as it was: pen positions that a window
// delivers as float32 take four bytes, whole milliseconds one or two.
const strokesVersion = 1

const (
	columnZero byte = iota
	columnFloat64
	columnFloat32
	columnIntegers
)

// columns are the numbers of a point, in order.
var columns = [4]func(p *ink.Point) *float64{
	func(p *ink.Point) *float64 { return &p.X },
	func(p *ink.Point) *float64 { return &p.Y },
	func(p *ink.Point) *float64 { return &p.T },
	func(p *ink.Point) *float64 { return &p.Pressure },
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errStrokes = message.Errorf("the stored strokes are damaged")

// encodeStrokes returns k in the encoding above; every bit of every number is kept. It fails for ink of more than 2^20
// points or strokes.
func encodeStrokes(k ink.Ink) ([]byte, error) {
	if n := k.Points(); n > ink.MaxPoints || len(k) > ink.MaxPoints {
		return nil, message.Errorf("the drawing has %d points in %d strokes, more than %d: draw it with fewer", n, len(k), ink.MaxPoints)
	}
	points := slices.Concat(k...)
	b := make([]byte, 0, 16+len(k)+20*len(points))
	b = binary.AppendUvarint(append(b, strokesVersion), uint64(len(k)))
	for _, s := range k {
		b = binary.AppendUvarint(b, uint64(len(s)))
	}
	values := make([]float64, len(points))
	for _, column := range columns {
		for i := range points {
			values[i] = *column(&points[i])
		}
		b = appendColumn(b, values)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

func appendColumn(b []byte, values []float64) []byte {
	zero, single, integer, varints := true, true, true, 0
	var varint [binary.MaxVarintLen64]byte
	previous := int64(0)
	for _, v := range values {
		bits := math.Float64bits(v)
		zero = zero && bits == 0
		single = single && math.Float64bits(float64(float32(v))) == bits
		if integer = integer && math.Abs(v) < 1<<53 && math.Float64bits(float64(int64(v))) == bits; integer {
			varints += binary.PutVarint(varint[:], int64(v)-previous)
			previous = int64(v)
		}
	}
	switch {
	case zero:
		return append(b, columnZero)
	case integer && varints < 4*len(values):
		b = append(b, columnIntegers)
		previous = 0
		for _, v := range values {
			b = binary.AppendVarint(b, int64(v)-previous)
			previous = int64(v)
		}
	case single:
		b = append(b, columnFloat32)
		for _, v := range values {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		}
	default:
		b, _ = binary.Append(append(b, columnFloat64), binary.LittleEndian, values)
	}
	return b
}

// decodeStrokes is the inverse of encodeStrokes. It fails for bytes that are not such an encoding, or whose checksum
// does not fit.
func decodeStrokes(b []byte) (ink.Ink, error) {
	if len(b) < 5 {
		return nil, errStrokes
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, errStrokes
	}
	if body[0] != strokesVersion {
		return nil, message.Errorf("the strokes are stored in encoding %d, which this version does not know: update Inkshade", body[0])
	}
	r := reader{rest: body[1:]}
	k := make(ink.Ink, r.count(uint64(len(body))))
	ends := make([]int, len(k)+1)
	for i := range k {
		ends[i+1] = ends[i] + r.count(uint64(ink.MaxPoints-ends[i]))
	}
	points := make(ink.Stroke, ends[len(k)])
	for i := range k {
		k[i] = points[ends[i]:ends[i+1]:ends[i+1]]
	}
	values := make([]float64, len(points))
	for _, column := range columns {
		r.column(values)
		for i := range points {
			*column(&points[i]) = values[i]
		}
	}
	if r.bad || len(r.rest) > 0 {
		return nil, errStrokes
	}
	return k, nil
}

// reader takes the encoding apart; after the first impossible value it is bad and gives zeros.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n > len(r.rest) {
		r.bad = true
		return make([]byte, n)
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) count(most uint64) int {
	v, n := binary.Uvarint(r.rest)
	if r.bad || n <= 0 || v > most {
		r.bad = true
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *reader) column(values []float64) {
	switch form := r.take(1)[0]; form {
	case columnZero:
		clear(values)
	case columnFloat64:
		_, _ = binary.Decode(r.take(8*len(values)), binary.LittleEndian, values)
	case columnFloat32:
		b := r.take(4 * len(values))
		for i := range values {
			values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		}
	case columnIntegers:
		sum := int64(0)
		for i := range values {
			v, n := binary.Varint(r.rest)
			if r.bad || n <= 0 {
				r.bad = true
				return
			}
			r.rest = r.rest[n:]
			sum += v
			values[i] = float64(sum)
		}
	default:
		r.bad = true
	}
}
