// spread sorts times. Of an even number a median is the lower one of the middle. A reading is
// disturbed by the same rule as in recognizer/bench.
export function spread(times) {
  const middle = (sorted) => sorted[(sorted.length - 1) >> 1];
  const sorted = Float64Array.from(times).sort();
  const median = middle(sorted);
  const deviation = middle(sorted.map((t) => Math.abs(t - median)).sort());
  return {
    median, deviation, fastest: sorted[0], repeats: sorted.length,
    disturbed: deviation > 0.15 * median || median > 1.6 * sorted[0],
  };
}

// agree throws unless two results are the same within what float32 sums in another order
// differ by.
export function agree(what, got, want) {
  const scale = Math.max(...want.map(Math.abs));
  want.forEach((w, i) => {
    if (!(Math.abs(got[i] - w) <= 1e-3 * scale)) {
      throw new Error(`${what} computes ${got[i]} where the first computed ${w} (value ${i}); the comparison would be void`);
    }
  });
}
