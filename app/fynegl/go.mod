// What Fyne needs of go-gl's OpenGL bindings: the go.mod of the program puts this module in their place.
module github.com/go-gl/gl

go 1.26.0

require github.com/go-gl/glfw/v3.3/glfw v0.0.0-20240506104042-037f3cc74f2a
