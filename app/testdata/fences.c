// Shows, where it is preloaded, that llvmpipe frees no fence that a thread of it still holds: its threads are slow to
// let go of a fence that others can see is done, and a mutex destroyed while it is held ends the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Within lp_fence_signal: the count is complete, the mutex held.
int pthread_cond_broadcast(pthread_cond_t *cond) {
	static __thread int slow; // 1 for threads of llvmpipe, -1 for others
	char name[16] = "";
	if (slow == 0) {
		pthread_getname_np(pthread_self(), name, sizeof name);
		slow = strncmp(name, "llvmpipe-", 9) == 0 ? 1 : -1;
	}
	if (slow == 1)
		usleep(200);
	static int (*next)(pthread_cond_t *);
	if (!next)
		next = (int (*)(pthread_cond_t *))dlvsym(RTLD_NEXT, "pthread_cond_broadcast", "GLIBC_2.3.2");
	return next(cond);
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
	static int (*next)(pthread_mutex_t *);
	if (!next)
		next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_destroy");
	int result = next(mutex);
	if (result == EBUSY) {
		fputs("a mutex was destroyed while it was held\n", stderr);
		abort();
	}
	return result;
}
