package assets

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
	"os"
	"testing"

	"golang.org/x/image/draw"
)

// windowsIcon is what the package for Windows takes for the program's icon. Where icon.png is another picture, it is made anew by
// INKSHADE_ICON=write go test ./assets.
const windowsIcon = "../.ci/package/resource/inkshade.ico"

// header and entry are the bytes at the beginning of an ICO file, and those for each of its pictures, which are PNG files.
const header, entry = 6, 16

func TestIconOfWindowsIsThePicture(t *testing.T) {
	sides := []int{16, 32, 48, 256}
	source, err := png.Decode(bytes.NewReader(Icon()))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("INKSHADE_ICON") == "write" {
		if err := os.WriteFile(windowsIcon, iconOf(t, source, sides), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	icon, err := os.ReadFile(windowsIcon)
	if err != nil {
		t.Fatal(err)
	}
	if n := int(icon[4]); n != len(sides) {
		t.Fatalf("the icon has %d pictures, want %d", n, len(sides))
	}
	for i, side := range sides {
		place := icon[header+i*entry:][:entry]
		length, begin := binary.LittleEndian.Uint32(place[8:]), binary.LittleEndian.Uint32(place[12:])
		got, err := png.Decode(bytes.NewReader(icon[begin : begin+length]))
		if err != nil {
			t.Fatal(err)
		}
		want := scaled(source, side)
		if got.Bounds() != want.Bounds() {
			t.Fatalf("picture %d is %v, want %v", i, got.Bounds(), want.Bounds())
		}
		for y := range side {
			for x := range side {
				if got.At(x, y) != want.At(x, y) {
					t.Fatalf("the pixel %d,%d of the picture of %d is %v, want %v", x, y, side, got.At(x, y), want.At(x, y))
				}
			}
		}
	}
}

func scaled(source image.Image, side int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, side, side))
	draw.CatmullRom.Scale(out, out.Bounds(), source, source.Bounds(), draw.Src, nil)
	return out
}

// iconOf is the ICO file of a picture.
func iconOf(t *testing.T, source image.Image, sides []int) []byte {
	var directory, pictures bytes.Buffer
	for _, side := range sides {
		begin := pictures.Len()
		if err := png.Encode(&pictures, scaled(source, side)); err != nil {
			t.Fatal(err)
		}
		directory.Write([]byte{byte(side), byte(side), 0, 0, 1, 0, 32, 0}) // a side of 256 is written as 0
		place := binary.LittleEndian.AppendUint32(nil, uint32(pictures.Len()-begin))
		directory.Write(binary.LittleEndian.AppendUint32(place, uint32(header+entry*len(sides)+begin)))
	}
	all := append([]byte{0, 0, 1, 0, byte(len(sides)), 0}, directory.Bytes()...)
	return append(all, pictures.Bytes()...)
}
