// The functions of OpenGL 2.1 and OpenGL ES 2.0 that Fyne's painter calls: result, name, parameters.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef _WIN32
#define APIENTRY __stdcall
#else
#define APIENTRY
#endif

#define FUNCTIONS(F) \
	F(void, ActiveTexture, (unsigned texture), (texture)) \
	F(void, AttachShader, (unsigned program, unsigned shader), (program, shader)) \
	F(void, BindBuffer, (unsigned target, unsigned buffer), (target, buffer)) \
	F(void, BindTexture, (unsigned target, unsigned texture), (target, texture)) \
	F(void, BlendColor, (float red, float green, float blue, float alpha), (red, green, blue, alpha)) \
	F(void, BlendFunc, (unsigned sfactor, unsigned dfactor), (sfactor, dfactor)) \
	F(void, BufferData, (unsigned target, intptr_t size, const void *data, unsigned usage), \
	   (target, size, data, usage)) \
	F(void, BufferSubData, (unsigned target, intptr_t offset, intptr_t size, const void *data), \
	   (target, offset, size, data)) \
	F(void, Clear, (unsigned mask), (mask)) \
	F(void, ClearColor, (float red, float green, float blue, float alpha), (red, green, blue, alpha)) \
	F(void, CompileShader, (unsigned shader), (shader)) \
	F(unsigned, CreateProgram, (void), ()) \
	F(unsigned, CreateShader, (unsigned kind), (kind)) \
	F(void, DeleteBuffers, (int n, const unsigned *buffers), (n, buffers)) \
	F(void, DeleteTextures, (int n, const unsigned *textures), (n, textures)) \
	F(void, Disable, (unsigned capability), (capability)) \
	F(void, DrawArrays, (unsigned mode, int first, int count), (mode, first, count)) \
	F(void, Enable, (unsigned capability), (capability)) \
	F(void, EnableVertexAttribArray, (unsigned index), (index)) \
	F(void, GenBuffers, (int n, unsigned *buffers), (n, buffers)) \
	F(void, GenTextures, (int n, unsigned *textures), (n, textures)) \
	F(int, GetAttribLocation, (unsigned program, const char *name), (program, name)) \
	F(unsigned, GetError, (void), ()) \
	F(void, GetProgramInfoLog, (unsigned program, int bufSize, int *length, char *log), \
	   (program, bufSize, length, log)) \
	F(void, GetProgramiv, (unsigned program, unsigned pname, int *value), (program, pname, value)) \
	F(void, GetShaderInfoLog, (unsigned shader, int bufSize, int *length, char *log), (shader, bufSize, length, log)) \
	F(void, GetShaderiv, (unsigned shader, unsigned pname, int *value), (shader, pname, value)) \
	F(int, GetUniformLocation, (unsigned program, const char *name), (program, name)) \
	F(void, LinkProgram, (unsigned program), (program)) \
	F(void, ReadBuffer, (unsigned src), (src)) \
	F(void, ReadPixels, (int x, int y, int width, int height, unsigned format, unsigned kind, void *pixels), \
	   (x, y, width, height, format, kind, pixels)) \
	F(void, Scissor, (int x, int y, int width, int height), (x, y, width, height)) \
	F(void, ShaderSource, (unsigned shader, int count, const char *const *text, const int *length), \
	   (shader, count, text, length)) \
	F(void, TexImage2D, (unsigned target, int level, int internal, int width, int height, int border, unsigned format, unsigned kind, const void *pixels), \
	   (target, level, internal, width, height, border, format, kind, pixels)) \
	F(void, TexParameteri, (unsigned target, unsigned pname, int param), (target, pname, param)) \
	F(void, Uniform1f, (int location, float v0), (location, v0)) \
	F(void, Uniform2f, (int location, float v0, float v1), (location, v0, v1)) \
	F(void, Uniform4f, (int location, float v0, float v1, float v2, float v3), (location, v0, v1, v2, v3)) \
	F(void, UseProgram, (unsigned program), (program)) \
	F(void, VertexAttribPointer, (unsigned index, int size, unsigned kind, _Bool normalized, int stride, uintptr_t offset), \
	   (index, size, kind, normalized, stride, offset)) \
	F(void, Viewport, (int x, int y, int width, int height), (x, y, width, height))

#define POINTER(result, name, parameters, arguments) static result(APIENTRY *p##name) parameters;
#define CALL(result, name, parameters, arguments) \
	static inline result gl##name parameters { return p##name arguments; }
#define ENTRY(result, name, parameters, arguments) {"gl" #name, (void **)&p##name},

FUNCTIONS(POINTER)
FUNCTIONS(CALL)

struct entry {
	const char *name;
	void **pointer;
};

// entryAt gives the function with this number; its name is NULL after the last.
static struct entry entryAt(int number) {
	static const struct entry all[] = {FUNCTIONS(ENTRY){NULL, NULL}};
	return all[number];
}
