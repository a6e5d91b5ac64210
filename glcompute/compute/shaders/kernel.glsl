// The frame of every kernel: its file defines item(i), which does the work of thread i
// of all the threads of the operation. A long operation comes in several dispatches, of
// which `first` is the number of the first thread.

layout(local_size_x = LOCAL) in;

uniform int first;
uniform int items;

void item(int i);

void main() {
	int i = first + int(gl_GlobalInvocationID.x);
	if (i < items) {
		item(i);
	}
}
