import { readFile, writeFile } from 'node:fs/promises';

// titles of the cases.
const titles = {
  recognition: 'recognition, drawings at once',
  'training-step': 'training step, samples',
  convolution: 'convolutional network, drawings at once',
  'convolution-step': 'its training step, samples',
  product: 'product, rows',
};

// pairs are who is compared with whom: how many times as long the second one takes.
const pairs = [
  ['Inkshade fragment', 'TensorFlow.js WebGL'],
  ['Inkshade compute', 'TensorFlow.js WebGL'],
  ['Inkshade cpu', 'TensorFlow.js WASM'],
  ['Inkshade cpu', 'ONNX Runtime CPU'],
  ['Inkshade fragment', 'gonum'],
  ['Inkshade compute', 'gonum'],
  ['Inkshade cpu', 'gonum'],
];

function time(us) {
  if (us < 1000) return `${us.toPrecision(3)} µs`;
  return us < 1e5 ? `${(us / 1000).toPrecision(3)} ms` : `${Math.round(us / 1000)} ms`;
}

const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(row)].join('\n');

export function markdown(r) {
  const names = r.stations.map((s) => s.name);
  const label = (x) => `${titles[x.experiment]}: ${x.size.toLocaleString('en')}`;
  const reading = (x, name) => {
    const y = x.readings[name];
    if (!y) return '';
    const speed = x.experiment === 'product' ? `, ${(2 * x.size ** 3 / y.median / 1000).toPrecision(3)} GFLOP/s` : '';
    return `${time(y.median)}${speed}${y.disturbed ? ' \\*' : ''}`;
  };
  const times = table(['', ...names], r.results.map((x) => [label(x), ...names.map((n) => reading(x, n))]));
  const there = pairs.filter(([a, b]) => names.includes(a) && names.includes(b));
  const ratios = table(['', ...there.map(([a, b]) => `${b} / ${a}`)], r.results.map((x) => [
    label(x),
    ...there.map(([a, b]) => (x.readings[a] && x.readings[b] ? (x.readings[b].median / x.readings[a].median).toFixed(2) : '')),
  ]));
  const all = r.results.flatMap((x) => Object.values(x.readings));
  const disturbed = all.filter((x) => x.disturbed).length;
  return [
    `${r.date}, ${r.processor}, ${r.threads} threads. Medians of ${r.rounds} alternating turns of ${r.ms} ms each.`
      + (r.load > r.threads / 2 ? ` The machine was busy before the start (load ${r.load.toFixed(1)}); all readings may be slow.` : '')
      + (disturbed ? ` ${disturbed} of ${all.length} readings (\\*) were disturbed by other work on the machine.` : ''),
    '',
    ...r.stations.map((s) => `- ${s.name}: ${s.version}`),
    ...r.missing.map((s) => `- ${s.name} is missing: ${s.why}`),
    '', times, '',
    'How many times as long the other one takes (above 1: Inkshade is faster):',
    '', ratios,
  ].join('\n');
}

// replaceBetweenMarkers writes text between the lines "<!-- NAME: begin -->" and
// "<!-- NAME: end -->" of a file.
export async function replaceBetweenMarkers(path, name, text) {
  const before = await readFile(path, 'utf8');
  const begin = `<!-- ${name}: begin -->`;
  const end = `<!-- ${name}: end -->`;
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no lines ${begin} and ${end}`);
  await writeFile(path, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`);
}
