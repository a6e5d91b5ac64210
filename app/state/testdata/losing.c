// A libEGL that is the system's, but for OpenGL contexts: they are lost while the file INKSHADE_LOST exists.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INNOCENT_CONTEXT_RESET 0x8254

static void *of_system(const char *name) { return dlsym(dlopen(SYSTEM_EGL, RTLD_NOW | RTLD_GLOBAL), name); }

// No function has more than five arguments, all integers or pointers.
#define FORWARD(name) \
	long name(long a, long b, long c, long d, long e) { \
		return ((long (*)(long, long, long, long, long))of_system(#name))(a, b, c, d, e); \
	}

FORWARD(eglGetError)
FORWARD(eglGetDisplay)
FORWARD(eglInitialize)
FORWARD(eglBindAPI)
FORWARD(eglQueryString)
FORWARD(eglChooseConfig)
FORWARD(eglCreateContext)
FORWARD(eglCreatePbufferSurface)
FORWARD(eglMakeCurrent)
FORWARD(eglDestroySurface)
FORWARD(eglDestroyContext)
FORWARD(eglReleaseThread)

static unsigned reset_status(void) { return access(getenv("INKSHADE_LOST"), F_OK) == 0 ? INNOCENT_CONTEXT_RESET : 0; }

void *eglGetProcAddress(const char *name) {
	if (strcmp(name, "glGetGraphicsResetStatus") == 0)
		return (void *)reset_status;
	return ((void *(*)(const char *))of_system("eglGetProcAddress"))(name);
}
