// The functions of OpenGL that Inkshade calls, as the Khronos registry declares them: the
// version from which on a context must have it (0: it may lack it), result, name, parameters.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef _WIN32
#define APIENTRY __stdcall
#else
#define APIENTRY
#endif

#define FUNCTIONS(F) \
	F(33, void, ActiveTexture, (unsigned texture), (texture)) \
	F(33, void, AttachShader, (unsigned program, unsigned shader), (program, shader)) \
	F(33, void, BeginQuery, (unsigned target, unsigned id), (target, id)) \
	F(33, void, BindBuffer, (unsigned target, unsigned buffer), (target, buffer)) \
	F(33, void, BindBufferBase, (unsigned target, unsigned index, unsigned buffer), (target, index, buffer)) \
	F(33, void, BindFramebuffer, (unsigned target, unsigned framebuffer), (target, framebuffer)) \
	F(33, void, BindTexture, (unsigned target, unsigned texture), (target, texture)) \
	F(33, void, BindVertexArray, (unsigned array), (array)) \
	F(33, void, BufferData, (unsigned target, intptr_t size, const void *data, unsigned usage), \
	   (target, size, data, usage)) \
	F(33, void, BufferSubData, (unsigned target, intptr_t offset, intptr_t size, const void *data), \
	   (target, offset, size, data)) \
	F(33, unsigned, CheckFramebufferStatus, (unsigned target), (target)) \
	F(33, void, Clear, (unsigned mask), (mask)) \
	F(43, void, ClearBufferData, (unsigned target, unsigned internal, unsigned format, unsigned kind, const void *data), \
	   (target, internal, format, kind, data)) \
	F(33, void, ClearColor, (float red, float green, float blue, float alpha), (red, green, blue, alpha)) \
	F(33, unsigned, ClientWaitSync, (uintptr_t sync, unsigned flags, uint64_t timeout), (sync, flags, timeout)) \
	F(33, void, CompileShader, (unsigned shader), (shader)) \
	F(33, void, CopyBufferSubData, (unsigned readTarget, unsigned writeTarget, intptr_t readOffset, intptr_t writeOffset, intptr_t size), \
	   (readTarget, writeTarget, readOffset, writeOffset, size)) \
	F(33, unsigned, CreateProgram, (void), ()) \
	F(33, unsigned, CreateShader, (unsigned kind), (kind)) \
	F(33, void, DeleteBuffers, (int n, const unsigned *buffers), (n, buffers)) \
	F(33, void, DeleteFramebuffers, (int n, const unsigned *framebuffers), (n, framebuffers)) \
	F(33, void, DeleteProgram, (unsigned program), (program)) \
	F(33, void, DeleteQueries, (int n, const unsigned *ids), (n, ids)) \
	F(33, void, DeleteShader, (unsigned shader), (shader)) \
	F(33, void, DeleteSync, (uintptr_t sync), (sync)) \
	F(33, void, DeleteTextures, (int n, const unsigned *textures), (n, textures)) \
	F(33, void, DeleteVertexArrays, (int n, const unsigned *arrays), (n, arrays)) \
	F(33, void, Disable, (unsigned capability), (capability)) \
	F(43, void, DispatchCompute, (unsigned x, unsigned y, unsigned z), (x, y, z)) \
	F(33, void, DrawArrays, (unsigned mode, int first, int count), (mode, first, count)) \
	F(33, void, DrawBuffers, (int n, const unsigned *bufs), (n, bufs)) \
	F(33, void, EndQuery, (unsigned target), (target)) \
	F(33, uintptr_t, FenceSync, (unsigned condition, unsigned flags), (condition, flags)) \
	F(33, void, Finish, (void), ()) \
	F(33, void, Flush, (void), ()) \
	F(33, void, FramebufferTextureLayer, (unsigned target, unsigned attachment, unsigned texture, int level, int layer), \
	   (target, attachment, texture, level, layer)) \
	F(33, void, GenBuffers, (int n, unsigned *buffers), (n, buffers)) \
	F(33, void, GenFramebuffers, (int n, unsigned *framebuffers), (n, framebuffers)) \
	F(33, void, GenQueries, (int n, unsigned *ids), (n, ids)) \
	F(33, void, GenTextures, (int n, unsigned *textures), (n, textures)) \
	F(33, void, GenVertexArrays, (int n, unsigned *arrays), (n, arrays)) \
	F(33, void, GetBufferSubData, (unsigned target, intptr_t offset, intptr_t size, void *data), \
	   (target, offset, size, data)) \
	F(33, unsigned, GetError, (void), ()) \
	F(0, unsigned, GetGraphicsResetStatus, (void), ()) \
	F(33, void, GetInteger64v, (unsigned pname, int64_t *data), (pname, data)) \
	F(33, void, GetIntegerv, (unsigned pname, int *data), (pname, data)) \
	F(0, void, GetProgramBinary, (unsigned program, int bufSize, int *length, unsigned *binaryFormat, void *binary), \
	   (program, bufSize, length, binaryFormat, binary)) \
	F(33, void, GetProgramInfoLog, (unsigned program, int bufSize, int *length, char *log), \
	   (program, bufSize, length, log)) \
	F(33, void, GetProgramiv, (unsigned program, unsigned pname, int *value), (program, pname, value)) \
	F(33, void, GetQueryObjectui64v, (unsigned id, unsigned pname, uint64_t *value), (id, pname, value)) \
	F(33, void, GetQueryiv, (unsigned target, unsigned pname, int *value), (target, pname, value)) \
	F(33, void, GetShaderInfoLog, (unsigned shader, int bufSize, int *length, char *log), \
	   (shader, bufSize, length, log)) \
	F(33, void, GetShaderiv, (unsigned shader, unsigned pname, int *value), (shader, pname, value)) \
	F(33, const char*, GetString, (unsigned name), (name)) \
	F(33, const char*, GetStringi, (unsigned name, unsigned index), (name, index)) \
	F(33, void, GetTexImage, (unsigned target, int level, unsigned format, unsigned kind, void *pixels), \
	   (target, level, format, kind, pixels)) \
	F(33, int, GetUniformLocation, (unsigned program, const char *name), (program, name)) \
	F(33, void, LinkProgram, (unsigned program), (program)) \
	F(33, void*, MapBufferRange, (unsigned target, intptr_t offset, intptr_t length, unsigned access), \
	   (target, offset, length, access)) \
	F(43, void, MemoryBarrier, (unsigned barriers), (barriers)) \
	F(33, void, PixelStorei, (unsigned pname, int param), (pname, param)) \
	F(0, void, ProgramBinary, (unsigned program, unsigned binaryFormat, const void *binary, int length), \
	   (program, binaryFormat, binary, length)) \
	F(0, void, ProgramParameteri, (unsigned program, unsigned pname, int value), (program, pname, value)) \
	F(33, void, ReadBuffer, (unsigned src), (src)) \
	F(33, void, ReadPixels, (int x, int y, int width, int height, unsigned format, unsigned kind, void *pixels), \
	   (x, y, width, height, format, kind, pixels)) \
	F(33, void, ShaderSource, (unsigned shader, int count, const char *const *text, const int *length), \
	   (shader, count, text, length)) \
	F(33, void, TexBuffer, (unsigned target, unsigned internal, unsigned buffer), (target, internal, buffer)) \
	F(33, void, TexImage3D, (unsigned target, int level, int internal, int width, int height, int depth, int border, unsigned format, unsigned kind, const void *pixels), \
	   (target, level, internal, width, height, depth, border, format, kind, pixels)) \
	F(33, void, TexParameteri, (unsigned target, unsigned pname, int param), (target, pname, param)) \
	F(33, void, TexSubImage3D, (unsigned target, int level, int xoffset, int yoffset, int zoffset, int width, int height, int depth, unsigned format, unsigned kind, const void *pixels), \
	   (target, level, xoffset, yoffset, zoffset, width, height, depth, format, kind, pixels)) \
	F(33, void, Uniform1i, (int location, int v0), (location, v0)) \
	F(33, uint8_t, UnmapBuffer, (unsigned target), (target)) \
	F(33, void, UseProgram, (unsigned program), (program)) \
	F(33, void, Viewport, (int x, int y, int width, int height), (x, y, width, height))

#define POINTER(version, result, name, parameters, arguments) static result(APIENTRY *p##name) parameters;
#define CALL(version, result, name, parameters, arguments) \
	static inline result gl##name parameters { return p##name arguments; }
#define ENTRY(version, result, name, parameters, arguments) {version, "gl" #name, (void **)&p##name},

FUNCTIONS(POINTER)
FUNCTIONS(CALL)

struct entry {
	int version;
	const char *name;
	void **pointer;
};

// entryAt gives the function with this number; its name is NULL after the last.
static struct entry entryAt(int number) {
	static const struct entry all[] = {FUNCTIONS(ENTRY){0, NULL, NULL}};
	return all[number];
}
