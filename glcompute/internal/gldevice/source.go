package gldevice

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

// Library finds shader files by name in the folder "shaders" of each of its parts, the
// first that has it.
type Library []fs.FS

// Digest stands for the text of all files.
func (l Library) Digest() string {
	h := sha256.New()
	for _, files := range l {
		names, err := fs.Glob(files, "shaders/*")
		if err != nil {
			panic(err) // the pattern is a constant
		}
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				panic(err) // it was listed
			}
			h.Write([]byte(name + "\x00"))
			h.Write(append(text, 0))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// read panics on an unknown name: the files are part of the program.
func (l Library) read(name string) string {
	for _, files := range l {
		if text, err := fs.ReadFile(files, "shaders/"+name); err == nil {
			return string(text)
		}
	}
	panic("gldevice: there is no shader file " + name)
}

// Source is a shader on its way to its complete text: definitions, then generated
// declarations, then the file with its includes put in and its repetitions written out.
type Source struct {
	defines, declarations string
	files                 map[string]string // that were generated, by name
}

// Define adds a preprocessor definition; a bool becomes 0 or 1.
func (s *Source) Define(name string, value any) *Source {
	s.defines += fmt.Sprintf("#define %s %v\n", name, literal(value))
	return s
}

// literal is 1 for true and 0 for false, and other values themselves.
func literal(value any) any {
	switch value {
	case true:
		return 1
	case false:
		return 0
	}
	return value
}

// Insert adds another file of the library before the shader's own, with words of it replaced.
func (s *Source) Insert(l Library, file string, words map[string]any) {
	text := l.read(file)
	for word, value := range words {
		text = strings.ReplaceAll(text, word, fmt.Sprint(literal(value)))
	}
	s.declarations += text
}

// Declare adds GLSL text before the file's.
func (s *Source) Declare(format string, args ...any) {
	s.declarations += fmt.Sprintf(format, args...)
}

// File adds a generated file, which other files may include.
func (s *Source) File(name, text string) {
	if s.files == nil {
		s.files = map[string]string{}
	}
	s.files[name] = text
}

// Text is the complete source. Two directives of the files are worked off here:
//
//	#include "name"   that generated file, or that of the library, the first time it occurs
//	#unroll i N       the lines up to the matching #end N times, the word i being 0, 1,
//	                  ... N-1 in them
//
// N is a number or a definition, and ## joins two words: sum##i is sum0, sum1, ... Drivers unroll a loop only while they find it short,
// and an array with an index that they do not know lies in memory instead of registers.
func (s *Source) Text(g *GL, l Library, file string) string {
	var lines []string
	s.expand(&lines, l, file, map[string]bool{})
	var out strings.Builder
	if g.Level.ES {
		fmt.Fprintf(&out, "#version %d%d0 es\n", g.Level.Major, g.Level.Minor)
		for _, kind := range []string{"float", "int", "sampler2DArray", "isampler2D"} {
			fmt.Fprintf(&out, "precision highp %s;\n", kind)
		}
	} else {
		fmt.Fprintf(&out, "#version %d%d0 core\n", g.Level.Major, g.Level.Minor)
	}
	out.WriteString(s.defines)
	out.WriteString(s.declarations)
	for _, line := range s.unroll(lines) {
		out.WriteString(strings.ReplaceAll(line, "##", ""))
		out.WriteByte('\n')
	}
	return out.String()
}

// unroll writes the repetitions out, from the outermost to the innermost.
func (s *Source) unroll(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); i++ {
		f := strings.Fields(lines[i])
		if len(f) != 3 || f[0] != "#unroll" {
			out = append(out, lines[i])
			continue
		}
		end := matchingEnd(lines, i)
		// What stands between the word's places is the same in every repetition.
		between := regexp.MustCompile(`\b`+f[1]+`\b`).Split(strings.Join(lines[i+1:end], "\n"), -1)
		for n := range s.number(f[2]) {
			body := strings.Join(between, strconv.Itoa(n))
			out = append(out, s.unroll(strings.Split(body, "\n"))...)
		}
		i = end
	}
	return out
}

// matchingEnd finds the #end of the #unroll in line i.
func matchingEnd(lines []string, i int) int {
	depth := 0
	for j := i; j < len(lines); j++ {
		switch line := strings.TrimSpace(lines[j]); {
		case strings.HasPrefix(line, "#unroll "):
			depth++
		case line == "#end":
			if depth--; depth == 0 {
				return j
			}
		}
	}
	panic("gldevice: no #end after " + lines[i])
}

// number is the bound of a repetition.
func (s *Source) number(text string) int {
	value := text
	if _, after, defined := strings.Cut(s.defines, "#define "+text+" "); defined {
		value, _, _ = strings.Cut(after, "\n")
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		panic("gldevice: #unroll by " + text + ", which is neither a number nor defined as one")
	}
	return n
}

func (s *Source) expand(out *[]string, l Library, name string, seen map[string]bool) {
	if seen[name] {
		return
	}
	seen[name] = true
	text, generated := s.files[name]
	if !generated {
		text = l.read(name)
	}
	for line := range strings.Lines(text) {
		if file, ok := strings.CutPrefix(strings.TrimSpace(line), "#include "); ok {
			s.expand(out, l, strings.Trim(file, `"`), seen)
			continue
		}
		*out = append(*out, strings.TrimSuffix(line, "\n"))
	}
}
