// The few lines of protocol buffers that an ONNX file of a single product needs.

function varint(n) {
  const bytes = [];
  for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) | 128);
  return [...bytes, n];
}

const number = (field, n) => [...varint(field << 3), ...varint(n)];
const bytes = (field, b) => [...varint((field << 3) | 2), ...varint(b.length), ...b];
const text = (field, s) => bytes(field, [...new TextEncoder().encode(s)]);

// matrix is a ValueInfoProto of float32 [rows][cols].
function matrix(name, ...shape) {
  const dims = shape.flatMap((n) => bytes(1, number(1, n)));
  return [...text(1, name), ...bytes(2, bytes(1, [...number(1, 1), ...bytes(2, dims)]))];
}

// productModel is c[n][n] = a[n][n]·b[n][n] as an ONNX file.
export function productModel(n) {
  const node = [...text(1, 'a'), ...text(1, 'b'), ...text(2, 'c'), ...text(4, 'MatMul')];
  const graph = [
    ...bytes(1, node), ...text(2, 'product'),
    ...bytes(11, matrix('a', n, n)), ...bytes(11, matrix('b', n, n)), ...bytes(12, matrix('c', n, n)),
  ];
  return Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...number(2, 13)])]);
}
