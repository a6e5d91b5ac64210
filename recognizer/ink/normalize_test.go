package ink

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNormalizeRejects(t *testing.T) {
	for _, c := range []struct {
		img  Image
		want string
	}{
		{Image{Width: 3, Height: 2, Pix: make([]float32, 5)}, "3x2 pixels holds 5 values"},
		{Image{Width: -1, Height: -1, Pix: make([]float32, 1)}, "-1x-1"},
		{Image{Width: 1, Height: 1, Pix: []float32{float32(math.NaN())}}, "NaN"},
		{Image{Width: 2, Height: 1, Pix: []float32{0, 1.5}}, "pixel 1,0 of the picture is 1.5"},
		{Image{}, ErrEmpty.Error()},
		{Image{Width: 4, Height: 4, Pix: make([]float32, 16)}, ErrEmpty.Error()},
	} {
		if _, err := Normalize(c.img); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%dx%d: error %v, want %q in it", c.img.Width, c.img.Height, err, c.want)
		}
	}
}

// TestNormalizeMovesAndScales puts a picture of a drawing anywhere into larger ones.
func TestNormalizeMovesAndScales(t *testing.T) {
	want := drawn(t, Ink{curve(60)})
	for _, c := range []struct{ factor, width, height, x, y int }{
		{1, 28, 28, 3, 1}, {1, 28, 28, -2, -1}, {1, 90, 40, 50, 9}, {3, 100, 120, 0, 20}, {7, 300, 211, 90, 3},
	} {
		big := Image{Width: c.width, Height: c.height, Pix: make([]float32, c.width*c.height)}
		for y := range Side * c.factor {
			for x := range Side * c.factor {
				v := want.Pix[y/c.factor*Side+x/c.factor]
				px, py := x+c.x, y+c.y
				if px >= 0 && py >= 0 && px < c.width && py < c.height {
					big.Pix[py*c.width+px] = v
				} else if v > 0 {
					t.Fatalf("%+v: ink falls off the test's own picture", c)
				}
			}
		}
		got, err := Normalize(big)
		if err != nil {
			t.Fatal(err)
		}
		_, x, y := centreOfMass(got.Pix, Side)
		if math.Abs(x-centre) > 0.05 || math.Abs(y-centre) > 0.05 {
			t.Errorf("%+v: centre of mass at %.3f, %.3f", c, x, y)
		}
		if most, mean := difference(got, want); most > 0.2 || mean > 0.01 {
			t.Errorf("%+v: a pixel differs by %.3f, %.4f on average", c, most, mean)
		}
	}
}

func TestNormalizeEnlarges(t *testing.T) {
	// A plus of 5x5 pixels becomes one of 20x20 whose bars are 4 wide.
	small := Image{Width: 9, Height: 7, Pix: make([]float32, 63)}
	for i := range 5 {
		small.Pix[3*9+1+i], small.Pix[(1+i)*9+3] = 1, 1
	}
	img, err := Normalize(small)
	if err != nil {
		t.Fatal(err)
	}
	mass, x, y := centreOfMass(img.Pix, Side)
	if math.Abs(mass-9*16) > 3 || math.Abs(x-centre) > 0.02 || math.Abs(y-centre) > 0.02 {
		t.Errorf("%.2f of ink at %.3f, %.3f, want 144 at %g", mass, x, y, centre)
	}
	if img.Pix[14*Side+14] < 0.99 || img.Pix[8*Side+8] > 0.01 {
		t.Errorf("the middle is %.2f, beside the bars it is %.2f", img.Pix[14*Side+14], img.Pix[8*Side+8])
	}
}

func TestNormalizeKeepsAllInk(t *testing.T) {
	// Nearly all mass at the end of a long thin tail: centring would push the tail out.
	img := Image{Width: 40, Height: 6, Pix: make([]float32, 240)}
	for x := range 40 {
		img.Pix[3*40+x] = 0.6
		if x > 34 {
			for y := range 6 {
				img.Pix[y*40+x] = 1
			}
		}
	}
	got, err := Normalize(img)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := centreOfMass(img.Pix, 40)
	after, _, _ := centreOfMass(got.Pix, Side)
	scale := 20 / 39.6                                              // the tail's end counts as 0.6 of a pixel
	if want := before * scale * scale; math.Abs(after-want) > 0.1 { // the soft edge itself may lie outside
		t.Errorf("%.3f of ink remain of %.3f", after, want)
	}
	if again, _ := Normalize(got); !bytes.Equal(grey8(again), grey8(got)) {
		t.Error("normalizing again changes it")
	}
}

func grey8(img Image) []byte {
	b := make([]byte, len(img.Pix))
	for i, v := range img.Pix {
		b[i] = byte(v*255 + 0.5)
	}
	return b
}

// paint draws ink with a pen in a picture, from Rasterize's own outline.
func paint(k Ink, width, height int, paper, pen color.Color) *image.NRGBA {
	const factor = 8
	img, err := Rasterize(k)
	if err != nil {
		panic(err)
	}
	p := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(p, p.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	mask := image.NewAlpha(image.Rect(0, 0, Side*factor, Side*factor))
	for y := range Side * factor {
		for x := range Side * factor {
			mask.Pix[y*mask.Stride+x] = byte(sampleAt(img, float64(x)/factor, float64(y)/factor) * 255)
		}
	}
	at := image.Pt((width-Side*factor)/3, (height-Side*factor)/2)
	draw.DrawMask(p, mask.Rect.Add(at), image.NewUniform(pen), image.Point{}, mask, image.Point{}, draw.Over)
	return p
}

// sampleAt is a sharpened bilinear interpolation.
func sampleAt(img Image, x, y float64) float64 {
	x, y = max(x-0.5, 0), max(y-0.5, 0)
	ix, iy := min(int(x), Side-2), min(int(y), Side-2)
	fx, fy := x-float64(ix), y-float64(iy)
	at := func(dx, dy int) float64 { return float64(img.Pix[(iy+dy)*Side+ix+dx]) }
	v := (at(0, 0)*(1-fx)+at(1, 0)*fx)*(1-fy) + (at(0, 1)*(1-fx)+at(1, 1)*fx)*fy
	return min(max((v-0.5)*4+0.5, 0), 1)
}

func TestPicturesOfEveryKind(t *testing.T) {
	k := Ink{curve(60)}
	want := drawn(t, k)
	white, black := color.Color(color.White), color.Color(color.Black)
	blue, cream := color.Color(color.RGBA{30, 40, 160, 255}), color.Color(color.RGBA{250, 244, 220, 255})
	encode := func(p image.Image, how string) image.Image {
		var b bytes.Buffer
		var err error
		switch how {
		case "png":
			err = png.Encode(&b, p)
		case "jpeg":
			err = jpeg.Encode(&b, p, &jpeg.Options{Quality: 70})
		case "gif":
			err = gif.Encode(&b, p, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := image.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	noise := func(p *image.NRGBA) *image.NRGBA {
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range p.Pix {
			if i%4 != 3 {
				p.Pix[i] = byte(min(max(float64(p.Pix[i])+rng.NormFloat64()*6-10, 0), 255))
			}
		}
		return p
	}
	framed := image.NewNRGBA(image.Rect(0, 0, 500, 400)) // transparent margin, opaque sheet
	draw.Draw(framed, image.Rect(100, 50, 400, 350), paint(k, 300, 300, white, black), image.Point{}, draw.Src)
	for name, p := range map[string]image.Image{
		"dark on light":      encode(paint(k, 400, 300, white, black), "png"),
		"light on dark":      encode(paint(k, 300, 400, black, white), "png"),
		"blue on cream":      encode(paint(k, 260, 300, cream, blue), "png"),
		"jpeg":               encode(paint(k, 400, 300, white, black), "jpeg"),
		"gif":                encode(paint(k, 400, 300, black, white), "gif"),
		"grey pencil":        paint(k, 300, 300, white, color.Gray{150}),
		"black, transparent": encode(paint(k, 300, 300, color.Transparent, black), "png"),
		"white, transparent": encode(paint(k, 300, 300, color.Transparent, white), "png"),
		"transparent margin": framed,
		"round corners":      encode(rounded(paint(k, 300, 300, white, black), 40, 0), "png"),
		"round dark corners": encode(rounded(paint(k, 300, 300, black, white), 40, 0), "png"),
		"round cream corner": encode(rounded(paint(k, 300, 300, cream, blue), 40, 0), "png"),
		"round pencil":       encode(rounded(paint(k, 300, 300, white, color.Gray{150}), 40, 0), "png"),
		"round and shadow":   encode(rounded(paint(k, 340, 340, white, black), 40, 12), "png"),
		"disc":               encode(rounded(paint(k, 420, 420, white, black), 210, 0), "png"),
		"noise":              noise(paint(k, 300, 300, white, black)),
		"noise, light ink":   noise(paint(k, 300, 300, color.Gray{40}, color.Gray{220})),
		"part of a picture":  paint(k, 400, 300, white, black).SubImage(image.Rect(20, 10, 350, 290)),
		"sixteen bits":       sixteen(paint(k, 300, 300, white, black)),
		"cut to the ink":     encode(paint(k, 165, 165, white, black), "png"),
	} {
		full, err := FromPicture(p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := Normalize(full)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if most, mean := difference(got, want); mean > 0.015 {
			t.Errorf("%s: a pixel differs by %.3f, %.4f on average", name, most, mean)
		}
	}
}

// rounded cuts the corners off a picture, and a margin that a shadow fills.
func rounded(p *image.NRGBA, radius, margin float64) *image.NRGBA {
	width, height := float64(p.Rect.Dx())-2*margin, float64(p.Rect.Dy())-2*margin
	for i := 0; i < len(p.Pix); i += 4 {
		x, y := float64(i%p.Stride/4)+0.5-margin, float64(i/p.Stride)+0.5-margin
		dx, dy := max(radius-x, x-(width-radius), 0), max(radius-y, y-(height-radius), 0)
		if alpha := min(max(radius-math.Hypot(dx, dy)+0.5, 0), 1); alpha < 1 {
			p.Pix[i+3] = byte(255 * alpha)
			if margin > 0 && alpha == 0 {
				copy(p.Pix[i:], []byte{0, 0, 0, 70})
			}
		}
	}
	return p
}

// TestBarsOnTransparentGround wants what fills its box to be ink still: a one or a dash.
func TestBarsOnTransparentGround(t *testing.T) {
	for _, pen := range []color.Color{color.Black, color.White, color.NRGBA{30, 40, 160, 255}} {
		p := image.NewNRGBA(image.Rect(0, 0, 100, 100))
		bar := p.SubImage(image.Rect(40, 10, 60, 90)).(*image.NRGBA)
		draw.Draw(bar, bar.Rect, image.NewUniform(pen), image.Point{}, draw.Src)
		p.Set(40, 10, color.Transparent)
		img, err := FromPicture(p)
		if err != nil {
			t.Fatalf("%v: %v", pen, err)
		}
		if x0, y0, x1, y1 := sides(img.inkedBox()); x1-x0 != 20 || y1-y0 != 80 {
			t.Errorf("%v: the ink is %d by %d, want 20 by 80", pen, x1-x0, y1-y0)
		}
	}
}

func sixteen(p image.Image) image.Image {
	out := image.NewGray16(p.Bounds())
	draw.Draw(out, out.Rect, p, p.Bounds().Min, draw.Src)
	return out
}

// A straight stroke has no gap in its box, and is still no sheet of paper; nor is a sheet with nothing on it a stroke.
func TestStraightStrokeOnNothing(t *testing.T) {
	opaque := func(r image.Rectangle, c color.Color) image.Image {
		p := image.NewNRGBA(image.Rect(0, 0, 60, 60))
		draw.Draw(p, r, image.NewUniform(c), image.Point{}, draw.Src)
		return p
	}
	for width := 1; width <= 5; width++ {
		for _, c := range []color.Color{color.Black, color.White} {
			full, err := FromPicture(opaque(image.Rect(30, 5, 30+width, 55), c))
			if err != nil {
				t.Errorf("%d wide, %v: %v", width, c, err)
				continue
			}
			rows, columns := map[int]bool{}, map[int]bool{}
			for i, v := range full.Pix {
				if v > 0.5 {
					rows[i/full.Width], columns[i%full.Width] = true, true
				}
			}
			if len(rows) < 8*len(columns) {
				t.Errorf("%d wide, %v: ink in %d rows and %d columns", width, c, len(rows), len(columns))
			}
		}
	}
	if _, err := FromPicture(opaque(image.Rect(5, 5, 55, 50), color.White)); !errors.Is(err, ErrEmpty) {
		t.Errorf("a blank sheet: error %v, want ErrEmpty", err)
	}
}

func TestBlankPictures(t *testing.T) {
	grainy := image.NewGray(image.Rect(0, 0, 60, 60))
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range grainy.Pix {
		grainy.Pix[i] = byte(240 + rng.IntN(9))
	}
	for name, p := range map[string]image.Image{
		"white": image.NewUniform(color.White), "black": image.NewGray(image.Rect(0, 0, 9, 9)),
		"transparent": image.NewNRGBA(image.Rect(0, 0, 9, 9)), "no pixels": image.NewGray(image.Rect(0, 0, 0, 5)),
		"grainy": grainy,
	} {
		if u, ok := p.(*image.Uniform); ok {
			g := image.NewGray(image.Rect(0, 0, 20, 20))
			draw.Draw(g, g.Rect, u, image.Point{}, draw.Src)
			p = g
		}
		if _, err := FromPicture(p); !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: error %v, want ErrEmpty", name, err)
		}
	}
	if _, err := FromPicture(image.NewUniform(color.White)); err == nil || !strings.Contains(err.Error(), "make it smaller") {
		t.Errorf("an endless picture: error %v", err)
	}
}
