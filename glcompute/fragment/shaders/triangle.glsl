// One triangle that covers the viewport twice over; what lies outside is clipped.
void main() {
	gl_Position = vec4(vec2((gl_VertexID << 2) & 4, (gl_VertexID << 1) & 4) - 1.0, 0.0, 1.0);
}
