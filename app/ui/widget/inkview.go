package widget

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"inkshade/recognizer/ink"
)

// InkView shows a drawing as it was written, fitted into a square of paper.
type InkView struct {
	Composed
	ink    ink.Ink
	key    int64   // names the drawing, so that the same one is not stamped again
	whole  float64 // a drawing so long fills the paper, where it stands beside others; 0 for each by itself
	raster *canvas.Raster
	sheet  *sheet
	drawn  int64
}

func NewInkView(side float32) *InkView {
	v := &InkView{}
	v.raster = canvas.NewRaster(v.Paint)
	v.raster.ScaleMode = canvas.ImageScaleFastest
	v.raster.SetMinSize(fyne.NewSquareSize(side))
	v.Compose(v, container.NewStack(NewFill(ColorPaper, 8).Edged(ColorBorder, 1), v.raster))
	return v
}

// Set takes a drawing and its name, which is not 0; nil shows blank paper.
func (v *InkView) Set(k ink.Ink, key int64) { v.SetBeside(k, key, 0) }

// SetBeside shows a drawing on the scale on which one so long fills the paper.
func (v *InkView) SetBeside(k ink.Ink, key int64, whole float64) {
	if v.key == key && (k == nil) == (v.ink == nil) && v.whole == whole {
		return
	}
	v.ink, v.key, v.whole, v.drawn = k, key, whole, 0
	v.raster.Refresh()
}

// inkMargin is the room around a drawing, and inkPen the pen's radius, as shares of the side. Beside others
// a drawing is shown so many times smaller at most, so that it can be read.
const (
	inkMargin  = 0.14
	inkPen     = 0.022
	inkSmaller = 3
)

func (v *InkView) Paint(w, h int) image.Image {
	if fits := v.sheet.fits(w, h, ColorInk); !fits || v.drawn != v.key {
		if v.drawn = v.key; !fits {
			v.sheet = newSheet(w, h, Opaque(ColorInk))
		}
		v.sheet.clear()
		v.stamp(float64(w), float64(h))
	}
	return v.sheet.img
}

func (v *InkView) stamp(w, h float64) {
	side := min(w, h)
	room := side * (1 - 2*inkMargin)
	if l := LongerSide(v.ink); l > 0 {
		room *= l / max(l, min(v.whole, inkSmaller*l))
	}
	v.sheet.draw(fitted(v.ink, room), max(side*inkPen, 0.9))
}

// draw stamps a drawing around the middle.
func (s *sheet) draw(k ink.Ink, pen float64) {
	w, h := float64(s.img.Rect.Dx()), float64(s.img.Rect.Dy())
	for _, stroke := range k {
		p := newPen(s, pen)
		for _, q := range stroke {
			p.add(vec{q.X + w/2, q.Y + h/2})
		}
	}
}

func LongerSide(k ink.Ink) float64 {
	minX, minY, maxX, maxY, _ := k.Bounds()
	return max(maxX-minX, maxY-minY)
}

// Opaque is a colour of the theme as pixels have it.
func Opaque(name fyne.ThemeColorName) color.NRGBA {
	return color.NRGBAModel.Convert(Themed(name)).(color.NRGBA)
}

// Pixels is the base of what shows an image with crisp pixels, which it paints into one of its own.
type Pixels struct {
	Composed
	Raster *canvas.Raster
	Packed *image.RGBA
}

func (p *Pixels) Begin(self fyne.Widget, side float32, paint func(w, h int) image.Image) {
	p.Raster = canvas.NewRaster(func(w, h int) image.Image {
		if p.Packed == nil || p.Packed.Rect.Dx() != w || p.Packed.Rect.Dy() != h {
			p.Packed = image.NewRGBA(image.Rect(0, 0, w, h))
		}
		return paint(w, h)
	})
	p.Raster.ScaleMode = canvas.ImageScalePixels
	p.Raster.SetMinSize(fyne.NewSquareSize(side))
	p.Compose(self, container.NewStack(p.Raster))
}

// Thumbnail shows an image of ink, each of its pixels a square of whole device pixels.
type Thumbnail struct {
	Pixels
	Image   *ink.Image
	Drawing uint64
	// OnPaint is called when the pixels of a drawing go to the screen.
	OnPaint func(drawing uint64)
}

func NewThumbnail() *Thumbnail {
	t := &Thumbnail{}
	t.Begin(t, 56, t.paint)
	return t
}

func (t *Thumbnail) Set(img *ink.Image, drawing uint64) {
	t.Image, t.Drawing = img, drawing
	t.Raster.Refresh()
}

// paint fills w x h device pixels: paper to ink by value, paper where the squares leave a rim.
func (t *Thumbnail) paint(w, h int) image.Image {
	paper, dark := Opaque(ColorTrack), Opaque(ColorInk)
	width, height := ink.Side, ink.Side
	if t.Image != nil {
		width, height = t.Image.Width, t.Image.Height
	}
	cell := max(min(w/width, h/height), 1)
	left, top := (w-cell*width)/2, (h-cell*height)/2
	for y := range h {
		for x := range w {
			value := float32(0)
			if i, j := (x-left)/cell, (y-top)/cell; t.Image != nil && x >= left && y >= top && i < width && j < height {
				value = t.Image.Pix[j*width+i]
			}
			t.Packed.SetRGBA(x, y, Mix(paper, dark, value))
		}
	}
	if t.OnPaint != nil && t.Image != nil {
		t.OnPaint(t.Drawing)
	}
	return t.Packed
}

func Mix(a, b color.NRGBA, share float32) color.RGBA {
	share = min(max(share, 0), 1)
	one := func(x, y uint8) uint8 { return uint8(float32(x) + (float32(y)-float32(x))*share + 0.5) }
	return color.RGBA{one(a.R, b.R), one(a.G, b.G), one(a.B, b.B), 255}
}

// vec is a point in pixels of the sheet.
type vec struct{ x, y float64 }

func (a vec) mid(b vec) vec { return vec{(a.x + b.x) / 2, (a.y + b.y) / 2} }

func (a vec) dist(b vec) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

// sheet is ink in device pixels on a transparent ground, tightly packed, because Fyne's painter does not look at Stride. Stamping takes
// the larger coverage of old and new, so strokes cross and join without seams.
type sheet struct {
	img   *image.RGBA
	color color.NRGBA
}

func newSheet(w, h int, c color.NRGBA) *sheet {
	return &sheet{img: image.NewRGBA(image.Rect(0, 0, w, h)), color: c}
}

// fits tells whether the sheet, nil for none, has the size and the colour.
func (s *sheet) fits(w, h int, c fyne.ThemeColorName) bool {
	return s != nil && s.img.Rect.Dx() == w && s.img.Rect.Dy() == h && s.color == Opaque(c)
}

func (s *sheet) clear() { clear(s.img.Pix) }

// capsule stamps a line of the given radius with round ends. The coverage of a pixel is
// clamp(radius + 1/2 - d, 0, 1), d being the distance of its centre from the line.
func (s *sheet) capsule(a, b vec, radius float64) {
	box := capsuleBox(a, b, radius).Intersect(s.img.Rect)
	dx, dy := b.x-a.x, b.y-a.y
	length2 := dx*dx + dy*dy
	reach := radius + 0.5
	for y := box.Min.Y; y < box.Max.Y; y++ {
		py := float64(y) + 0.5 - a.y
		row := s.img.Pix[y*s.img.Stride:]
		for x := box.Min.X; x < box.Max.X; x++ {
			px := float64(x) + 0.5 - a.x
			t := 0.0
			if length2 > 0 {
				t = min(max((px*dx+py*dy)/length2, 0), 1)
			}
			ex, ey := px-t*dx, py-t*dy
			d2 := ex*ex + ey*ey
			if d2 >= reach*reach {
				continue
			}
			coverage := min(reach-math.Sqrt(d2), 1)
			s.cover(row[4*x:4*x+4:4*x+4], uint32(coverage*255+0.5))
		}
	}
}

func (s *sheet) cover(pixel []uint8, alpha uint32) {
	alpha = alpha * uint32(s.color.A) / 255
	if alpha <= uint32(pixel[3]) {
		return
	}
	pixel[0] = uint8(uint32(s.color.R) * alpha / 255)
	pixel[1] = uint8(uint32(s.color.G) * alpha / 255)
	pixel[2] = uint8(uint32(s.color.B) * alpha / 255)
	pixel[3] = uint8(alpha)
}

func capsuleBox(a, b vec, radius float64) image.Rectangle {
	r := radius + 1
	return image.Rect(
		int(math.Floor(min(a.x, b.x)-r)), int(math.Floor(min(a.y, b.y)-r)),
		int(math.Ceil(max(a.x, b.x)+r)), int(math.Ceil(max(a.y, b.y)+r)))
}

// curve stamps the quadratic Bezier curve from a over control c to b.
func (s *sheet) curve(a, c, b vec, radius float64) {
	steps := int(math.Ceil((a.dist(c) + c.dist(b)) / 3))
	steps = min(max(steps, 1), 64)
	from := a
	for i := 1; i <= steps; i++ {
		t := float64(i) / float64(steps)
		u := 1 - t
		to := vec{u*u*a.x + 2*u*t*c.x + t*t*b.x, u*u*a.y + 2*u*t*c.y + t*t*b.y}
		s.capsule(from, to, radius)
		from = to
	}
}

// pen draws one stroke as it comes: quadratic curves between the middles of neighbouring
// points, and a tail to the pointer. The tail's ground is kept and put back, so nothing lags
// and nothing stays of a tail that a curve replaced.
//
// A pointer stands on whole pixels, which shows as corners where points lie close; there the
// points of the curve are smoothed. The ink itself stays as it was written.
type pen struct {
	sheet   *sheet
	radius  float64
	before  vec // the newest point but one
	last    vec // the newest point
	control vec // of the curve that comes next: the newest point but one, smoothed
	middle  vec // where the settled curve ends
	count   int
	kept    []uint8
	box     image.Rectangle
}

// closePoints is the way over three points, in pixels, below which they are smoothed: longer ways have corners of their own.
const closePoints = 36

// smooth is b between a and c.
func smooth(a, b, c vec) vec {
	if a.dist(b)+b.dist(c) > closePoints {
		return b
	}
	return a.mid(b).mid(b.mid(c))
}

func newPen(s *sheet, radius float64) *pen { return &pen{sheet: s, radius: radius} }

func (p *pen) add(to vec) {
	switch {
	case p.count == 0:
		p.sheet.capsule(to, to, p.radius)
		p.last, p.control, p.middle, p.count = to, to, to, 1
		return
	case to == p.last:
		return
	}
	p.lift()
	if p.count > 1 {
		control := smooth(p.before, p.last, to)
		next := p.control.mid(control)
		p.sheet.curve(p.middle, p.control, next, p.radius)
		p.control, p.middle = control, next
	}
	p.before, p.last = p.last, to
	p.count++
	half := p.control.mid(to)
	p.keep(capsuleBox(p.middle, p.control, p.radius).Union(capsuleBox(half, to, p.radius)).Intersect(p.sheet.img.Rect))
	p.sheet.curve(p.middle, p.control, half, p.radius)
	p.sheet.capsule(half, to, p.radius)
}

func (p *pen) keep(box image.Rectangle) {
	p.box, p.kept = box, p.kept[:0]
	for y := box.Min.Y; y < box.Max.Y; y++ {
		i := p.sheet.img.PixOffset(box.Min.X, y)
		p.kept = append(p.kept, p.sheet.img.Pix[i:i+4*box.Dx()]...)
	}
}

// lift takes the tail off again.
func (p *pen) lift() {
	for y := p.box.Min.Y; y < p.box.Max.Y; y++ {
		i := p.sheet.img.PixOffset(p.box.Min.X, y)
		n := 4 * p.box.Dx()
		copy(p.sheet.img.Pix[i:i+n], p.kept[(y-p.box.Min.Y)*n:])
	}
	p.box = image.Rectangle{}
}
