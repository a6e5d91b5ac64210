package line

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"sync"
)

// Cache keeps the answers for shapes, by their content. Whoever changes what answers, such as the model, the
// classes allowed or what a memory remembers, takes a new one. It may be used by several goroutines.
type Cache struct {
	mu     sync.Mutex
	before map[key]Answer // of the reading before last
	now    map[key]Answer
}

type key [2]uint64

// NewCache makes an empty cache. It keeps what the last two readings needed.
func NewCache() *Cache { return &Cache{now: map[key]Answer{}} }

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// keyOf sums up all that a shape is.
func keyOf(s Shape) (k key) {
	var text []byte
	number := func(v float64) { text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v)) }
	for _, stroke := range s.Ink {
		number(float64(len(stroke)))
		for _, p := range stroke {
			number(p.X)
			number(p.Y)
			number(p.T)
			number(p.Pressure)
		}
	}
	number(float64(s.Image.Width))
	for _, v := range s.Image.Pix {
		text = binary.LittleEndian.AppendUint32(text, math.Float32bits(v))
	}
	for i, seed := range seeds {
		k[i] = maphash.Bytes(seed, text)
	}
	return k
}

// begin lets what the reading before last needed go.
func (c *Cache) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.before, c.now = c.now, map[key]Answer{}
}

func (c *Cache) get(k key) (Answer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.now[k]
	if !ok {
		if a, ok = c.before[k]; ok {
			c.now[k] = a
		}
	}
	return a, ok
}

func (c *Cache) put(k key, a Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now[k] = a
}

// answer asks, as one batch, about all groups that the cache does not know, and counts them by the rows they belong to.
func answer(ctx context.Context, all [][]row, cache *Cache, ask Ask) (asked []int, err error) {
	if cache == nil {
		cache = NewCache()
	}
	cache.begin()
	asked = make([]int, len(all))
	var shapes []Shape
	var keys []key
	var waiting []*group
	for i, rows := range all {
		for j := range rows {
			for k := range rows[j].groups {
				g := &rows[j].groups[k]
				shape := rows[j].shape(*g)
				id := keyOf(shape)
				if a, ok := cache.get(id); ok {
					g.answer = a
					continue
				}
				shapes, keys, waiting = append(shapes, shape), append(keys, id), append(waiting, g)
				asked[i]++
			}
		}
	}
	if len(shapes) == 0 {
		return asked, nil
	}
	answers, err := ask(ctx, shapes)
	if err != nil {
		return nil, err
	}
	for i, a := range answers {
		waiting[i].answer = a
		cache.put(keys[i], a)
	}
	return asked, nil
}

func (r *row) shape(g group) Shape {
	if r.pieces[g.first].pixels != nil {
		return Shape{Image: r.picture(g)}
	}
	k, _ := r.strokes(g)
	return Shape{Ink: k}
}
