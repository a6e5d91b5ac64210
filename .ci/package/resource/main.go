// Command resource writes what windres makes into the icon and the version of a program for
// Windows: go run ./.ci/package/resource ICON.png FOLDER VERSION.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/image/draw"
)

// sides of the pictures in the icon, in pixels.
var sides = []int{16, 32, 48, 256}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("resource ICON.png FOLDER VERSION")
	}
	source, folder, version := os.Args[1], os.Args[2], os.Args[3]
	icon, err := iconOf(source)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "inkshade.ico"), icon, 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "inkshade.rc"), []byte(script(version)), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// iconOf is the ICO file of a picture: a header, a directory of 16 bytes an entry, PNG files.
func iconOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	source, err := png.Decode(f)
	if err != nil {
		return nil, err
	}
	const header, entry = 6, 16
	var directory, pictures bytes.Buffer
	for _, side := range sides {
		scaled := image.NewNRGBA(image.Rect(0, 0, side, side))
		draw.CatmullRom.Scale(scaled, scaled.Bounds(), source, source.Bounds(), draw.Src, nil)
		begin := pictures.Len()
		if err := png.Encode(&pictures, scaled); err != nil {
			return nil, err
		}
		// A side of 256 is written as 0.
		directory.Write([]byte{byte(side), byte(side), 0, 0, 1, 0, 32, 0})
		var place [8]byte
		binary.LittleEndian.PutUint32(place[:], uint32(pictures.Len()-begin))
		binary.LittleEndian.PutUint32(place[4:], uint32(header+entry*len(sides)+begin))
		directory.Write(place[:])
	}
	all := []byte{0, 0, 1, 0, byte(len(sides)), 0}
	return append(append(all, directory.Bytes()...), pictures.Bytes()...), nil
}

// script is the resource script of a version: "0.1.0".
func script(version string) string {
	numbers := strings.ReplaceAll(version, ".", ",") + ",0"
	return fmt.Sprintf(`1 ICON "inkshade.ico"
1 VERSIONINFO
FILEVERSION %[1]s
PRODUCTVERSION %[1]s
FILEOS 0x40004
FILETYPE 1
BEGIN
  BLOCK "StringFileInfo"
  BEGIN
    BLOCK "040904B0"
    BEGIN
      VALUE "FileDescription", "Inkshade, handwriting recognition"
      VALUE "FileVersion", "%[2]s"
      VALUE "InternalName", "inkshade"
      VALUE "LegalCopyright", "BSD-3-Clause"
      VALUE "OriginalFilename", "inkshade.exe"
      VALUE "ProductName", "Inkshade"
      VALUE "ProductVersion", "%[2]s"
    END
  END
  BLOCK "VarFileInfo"
  BEGIN
    VALUE "Translation", 0x0409, 0x04B0
  END
END
`, numbers, version)
}
