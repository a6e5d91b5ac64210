// Runs the graphs of a folder in ONNX Runtime and prints how far what the tests kept beside them is
// from that; the exit status is 1 where that is too far.
//
//   node graphs.mjs FOLDER
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as ort from 'onnxruntime-node';

const limit = 1e-4; // of a value plus 1, for what is not quantised
const folder = process.argv[2];
const columns = ['cpu', 'fragment', 'compute', 'reference'];

// rows gives the result of each sample, of which there are so many.
function rows({ data, dims }, samples) {
  const width = data.length / samples;
  const inColumns = dims[0] !== samples;
  return Array.from({ length: samples }, (_, s) => Array.from({ length: width }, (_, i) => Number(data[inColumns ? i * samples + s : s * width + i])));
}

// farthest is the largest difference; anything that is no number is infinitely far.
function farthest(got, want) {
  let most = got.length === want.length ? 0 : Infinity;
  got.forEach((row, s) => row.forEach((v, i) => {
    const d = Math.abs(v - want[s][i]);
    most = Math.max(most, d >= 0 ? d : Infinity);
  }));
  return most;
}

const largest = (row) => row.indexOf(Math.max(...row));

let graphs = 0, samples = 0, agreed = 0, wrong = 0;
console.log(`| graph | largest value | ${columns.join(' | ')} |\n| --- | ---: |${' ---: |'.repeat(columns.length)}`);
for (const file of (await readdir(folder)).filter((f) => f.endsWith('.json')).sort()) {
  const kept = JSON.parse(await readFile(join(folder, file)));
  const session = await ort.InferenceSession.create(join(folder, file.replace(/json$/, 'onnx')), { logSeverityLevel: 3 });
  const input = session.inputMetadata[0];
  const make = { float32: Float32Array, float64: Float64Array, uint8: Uint8Array }[input.type];
  // Of a line the samples are its columns.
  const inputs = kept.Inputs ?? { [input.name]: { Dims: kept.Dims, Data: kept.Input } };
  const tensors = Object.entries(inputs).map(([name, { Dims, Data }]) => [name, new ort.Tensor(input.type, make.from(Data), Dims)]);
  const out = await session.run(Object.fromEntries(tensors));
  let want = rows(out[session.outputNames[0]], kept.Samples ?? kept.Dims[0]);
  if (kept.Shares) want = want.map((row) => row.map((v) => v / row.reduce((a, b) => a + b, 0)));
  const size = Math.max(...want.flat().map(Math.abs));
  const cells = columns.map((c) => {
    const got = kept.Output[c];
    if (!got) return '';
    const far = farthest(got, want);
    if (!(far <= limit * (1 + size) + kept.Rounded)) wrong++;
    got.forEach((row, s) => { samples++; if (largest(row) === largest(want[s])) agreed++; });
    return far.toExponential(1);
  });
  graphs++;
  console.log(`| ${kept.Name}${kept.Rounded ? ' (quantised)' : ''} | ${size.toPrecision(3)} | ${cells.join(' | ')} |`);
}
console.log(`\n${graphs} graphs, ONNX Runtime ${ort.env.versions.node}; the same first answer ${agreed} times of ${samples}; ${wrong} differences are too large.`);
process.exitCode = wrong > 0 ? 1 : 0;
