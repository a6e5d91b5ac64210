// Measures Inkshade, TensorFlow.js, ONNX Runtime and the products of gonum in turns and writes
// the medians into docs/benchmarks.md, between its markers; there also what Inkshade measures by
// itself.
//
//   node main.mjs PROGRAM STATION CHROMIUM INPUTS [--rounds N] [--ms N] [--out FILE]
import { availableParallelism, cpus, loadavg } from 'node:os';
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { Browser, TensorFlow } from './tensorflow.mjs';
import { OnnxRuntime } from './onnxruntime.mjs';
import { Gonum, Inkshade } from './programs.mjs';
import { agree, spread } from './statistics.mjs';
import { markdown, replaceBetweenMarkers } from './report.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '9' }, ms: { type: 'string', default: '150' }, out: { type: 'string' } },
});
const [program, station, chromium, inputs] = positionals;
const rounds = Number(values.rounds);
const ms = Number(values.ms);

const cases = [
  { experiment: 'recognition', size: 1 },
  { experiment: 'recognition', size: 16 },
  { experiment: 'recognition', size: 128 },
  { experiment: 'recognition', size: 1024 },
  { experiment: 'training-step', size: 128 },
  { experiment: 'convolution', size: 1 },
  { experiment: 'convolution', size: 16 },
  { experiment: 'convolution', size: 128 },
  { experiment: 'convolution', size: 1024 },
  { experiment: 'convolution-step', size: 64 },
  { experiment: 'product', size: 256 },
  { experiment: 'product', size: 512 },
  { experiment: 'product', size: 1024 },
];

const threads = availableParallelism();
const load = loadavg()[0];
const stations = [];
const missing = [];

async function enter(name, open) {
  try {
    stations.push(await open());
  } catch (e) {
    missing.push({ name, why: e.message.split('\n')[0] });
  }
}

const browser = await Browser.open(chromium, inputs);
for (const device of ['cpu', 'fragment', 'compute']) {
  await enter(`Inkshade ${device}`, () => Inkshade.open(station, device));
}
await enter('TensorFlow.js WebGL', () => TensorFlow.open(browser, 'webgl', threads));
await enter('TensorFlow.js WASM', () => TensorFlow.open(browser, 'wasm', threads));
await enter('ONNX Runtime CPU', () => new OnnxRuntime(inputs, threads));
await enter('gonum', () => Gonum.open(station));

// measure gives the times of one case by the name of the station. Stations take turns, each
// round beginning with another one, with a rest between them in which threads go to sleep.
async function measure(c) {
  const times = {};
  const taking = [];
  let proof;
  for (const s of stations) {
    let values;
    try {
      values = await s.prepare(c);
    } catch (e) {
      if (s instanceof Inkshade) throw e;
      console.error(`${s.name}, ${c.experiment} ${c.size}: ${e.message.split('\n')[0]}`);
      continue;
    }
    proof ??= values;
    agree(`${c.experiment} ${c.size}: ${s.name}`, values, proof);
    times[s.name] = [];
    taking.push(s);
  }
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < taking.length; i++) {
      const s = taking[(round + i) % taking.length];
      times[s.name].push(...await s.turn(ms));
      await pause(30);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, spread(all)]));
}

const results = [];
for (const c of cases) {
  console.error(`${c.experiment} ${c.size}`);
  results.push({ ...c, readings: await measure(c) });
}
for (const s of stations) await s.close();
await browser.close();

const text = markdown({
  date: new Date().toISOString().slice(0, 10),
  processor: cpus()[0].model, threads, load, rounds, ms,
  stations: stations.map(({ name, version }) => ({ name, version })), missing, results,
});
console.log(text);
if (values.out) {
  await replaceBetweenMarkers(values.out, 'peers', text);
  const bench = execFileSync(program, ['bench'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  await replaceBetweenMarkers(values.out, 'bench', '```\n' + bench + '```');
}
