package dataset

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
)

// exif is a TIFF header with the orientation as its second of two entries.
func exif(order binary.AppendByteOrder, mark string, orientation uint16) []byte {
	b := order.AppendUint16([]byte(mark), 42)
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	for _, e := range [][3]uint16{{0x0100, 3, 640}, {0x0112, 3, orientation}} {
		b = order.AppendUint16(order.AppendUint16(b, e[0]), e[1])
		b = order.AppendUint16(order.AppendUint16(order.AppendUint32(b, 1), e[2]), 0)
	}
	return order.AppendUint32(b, 0)
}

// TestPhotographsAreTurnedUpright stores an upright picture the way the standard says that
// a turned camera does, and wants it back.
func TestPhotographsAreTurnedUpright(t *testing.T) {
	const width, height = 48, 32
	// Where the pixel x, y of the upright picture is stored.
	stored := map[uint16]func(x, y int) (int, int){
		1: func(x, y int) (int, int) { return x, y },
		2: func(x, y int) (int, int) { return width - 1 - x, y },
		3: func(x, y int) (int, int) { return width - 1 - x, height - 1 - y },
		4: func(x, y int) (int, int) { return x, height - 1 - y },
		5: func(x, y int) (int, int) { return y, x },
		6: func(x, y int) (int, int) { return y, width - 1 - x },
		7: func(x, y int) (int, int) { return height - 1 - y, width - 1 - x },
		8: func(x, y int) (int, int) { return height - 1 - y, x },
		9: func(x, y int) (int, int) { return x, y }, // no such orientation
	}
	// Blocks of 16 pixels, so that JPEG keeps them apart.
	inked := func(x, y int) bool { return x < 16 && y < 16 }
	for o, place := range stored {
		size := image.Rect(0, 0, width, height)
		if o >= 5 && o <= 8 {
			size = image.Rect(0, 0, height, width)
		}
		p := image.NewGray(size)
		for y := range height {
			for x := range width {
				sx, sy := place(x, y)
				if !inked(x, y) {
					p.SetGray(sx, sy, color.Gray{Y: 255})
				}
			}
		}
		var asJPEG, asPNG bytes.Buffer
		if err := jpeg.Encode(&asJPEG, p, &jpeg.Options{Quality: 100}); err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(&asPNG, p); err != nil {
			t.Fatal(err)
		}
		content := append([]byte("Exif\x00\x00"), exif(binary.LittleEndian, "II", o)...)
		app1 := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(content)+2))
		chunk := append([]byte("eXIf"), exif(binary.BigEndian, "MM", o)...)
		eXIf := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))
		eXIf = binary.BigEndian.AppendUint32(append(eXIf, chunk...), crc32.ChecksumIEEE(chunk))
		const afterHeader = 8 + 25 // signature and IHDR
		for name, file := range map[string][]byte{
			"JPEG": slices.Insert(asJPEG.Bytes(), 2, append(app1, content...)...),
			"PNG":  slices.Insert(asPNG.Bytes(), afterHeader, eXIf...),
		} {
			got, err := DecodePicture(bytes.NewReader(file), false)
			if err != nil {
				t.Fatalf("%s, orientation %d: %v", name, o, err)
			}
			if got.Width != width || got.Height != height {
				t.Fatalf("%s, orientation %d: %dx%d pixels", name, o, got.Width, got.Height)
			}
			for y := 8; y < height; y += 16 {
				for x := 8; x < width; x += 16 {
					if v := got.Pix[y*width+x]; v != 0 && v != 1 || inked(x, y) != (v == 1) {
						t.Errorf("%s, orientation %d: the ink of pixel %d,%d is %g", name, o, x, y, v)
					}
				}
			}
		}
	}
}

// A WebP says how the camera was held in a chunk behind the picture.
func TestWebPIsTurnedUpright(t *testing.T) {
	tiff := exif(binary.LittleEndian, "II", 6)
	content := slices.Concat([]byte("WEBP"),
		[]byte("VP8X\x0a\x00\x00\x00\x08\x00\x00\x00\x3b\x00\x00\x3b\x00\x00"), // with Exif, 60x60
		webpBar(t)[12:],
		binary.LittleEndian.AppendUint32([]byte("EXIF"), uint32(len(tiff))), tiff)
	turned := append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(content))), content...)
	for _, c := range []struct {
		file          []byte
		width, height int
	}{{webpBar(t), 13, 37}, {turned, 37, 13}} {
		img, err := DecodePicture(bytes.NewReader(c.file), false)
		if err != nil {
			t.Fatal(err)
		}
		columns, rows := map[int]bool{}, map[int]bool{}
		for i, v := range img.Pix {
			if v > 0.5 {
				columns[i%img.Width], rows[i/img.Width] = true, true
			}
		}
		if len(columns) != c.width || len(rows) != c.height {
			t.Errorf("ink of %dx%d pixels in %dx%d, want %dx%d", len(columns), len(rows), img.Width, img.Height, c.width, c.height)
		}
	}
}

// The finer picture of hairlines is that before they were thickened, however the camera was held.
func TestDetailIsTurnedUpright(t *testing.T) {
	const side = 300
	upright, turned := image.NewGray(image.Rect(0, 0, side, side)), image.NewGray(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			ink := color.Gray{Y: 255}
			if x >= 50 && x < 250 && y >= 80 && y < 220 && (x%40 == 10 || y == 100) {
				ink.Y = 0
			}
			upright.SetGray(x, y, ink)
			turned.SetGray(y, side-1-x, ink)
		}
	}
	want, err := (&Picture{upright, 1}).Ink(Whole, false)
	if err != nil || want.Detail == nil {
		t.Fatalf("%v, a detail of %d pixels", err, len(want.Detail))
	}
	got, err := (&Picture{turned, 6}).Ink(Whole, false)
	if err != nil || len(got.Detail) != len(want.Detail) {
		t.Fatalf("%v, a detail of %d pixels", err, len(got.Detail))
	}
	for i, v := range want.Detail {
		if d := int(v) - int(got.Detail[i]); d < -1 || d > 1 {
			t.Fatalf("pixel %d of the detail is %d, upright %d", i, got.Detail[i], v)
		}
	}
}

func FuzzOrientation(f *testing.F) {
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x10Exif\x00\x00II*\x00\x08\x00\x00\x00"))
	f.Add(append([]byte("\xff\xd8\xff\xe1\x00\x30Exif\x00\x00"), exif(binary.LittleEndian, "II", 6)...))
	f.Add(append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x26eXIf"), exif(binary.BigEndian, "MM", 6)...))
	f.Add(append([]byte("RIFF\x00\x00\x00\x00WEBPEXIF\x26\x00\x00\x00"), exif(binary.LittleEndian, "II", 6)...))
	f.Fuzz(func(t *testing.T, file []byte) {
		if o := orientation(file); o < 1 || o > 8 {
			t.Errorf("orientation %d", o)
		}
	})
}

// A part of a picture is that of what is seen, however the camera was held and the picture turned.
func TestPartsOfAPictureTurned(t *testing.T) {
	const side = 60
	for o := 1; o <= 8; o++ {
		for quarters := range 4 {
			stored := image.NewGray(image.Rect(0, 0, 2*side, side))
			draw.Draw(stored, stored.Rect, image.White, image.Point{}, draw.Src)
			draw.Draw(stored, image.Rect(10, 10, 30, 16), image.Black, image.Point{}, draw.Src)
			p := &Picture{stored, o}
			for range quarters {
				p = p.Turned()
			}
			shown := p.Preview(side)
			for _, part := range []Part{{0, 0, 0.5, 0.5}, {0.5, 0, 1, 0.5}, {0, 0.5, 0.5, 1}, {0.5, 0.5, 1, 1}} {
				b := shown.Bounds()
				dark := false
				for y := int(part.Top * float64(b.Dy())); y < int(part.Bottom*float64(b.Dy())); y++ {
					for x := int(part.Left * float64(b.Dx())); x < int(part.Right*float64(b.Dx())); x++ {
						r, _, _, _ := shown.At(x, y).RGBA()
						dark = dark || r < 0x4000
					}
				}
				_, err := p.Ink(part, false)
				if found := err == nil; found != dark {
					t.Errorf("orientation %d, %d quarters: ink in %v is seen: %v; read: %v (%v)", o, quarters, part, dark, found, err)
				}
			}
		}
	}
	if got := (Part{0.25, 0, 1, 0.5}).Turned(); got != (Part{0.5, 0.25, 1, 1}) {
		t.Errorf("turned: %v", got)
	}
}
