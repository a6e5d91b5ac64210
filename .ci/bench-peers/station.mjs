// A station prepares a case and takes turns at it. All have the same two methods:
//   prepare({ experiment, size }) -> the first values of the result
//   turn(ms) -> the microseconds of each replay
// A station that cannot do a case throws from prepare.

// replay calls once for about ms milliseconds, at least once. The first call does not count
// where there are several.
export async function replay(once, ms) {
  const times = [];
  const begin = performance.now();
  do {
    const start = performance.now();
    await once();
    times.push(1000 * (performance.now() - start));
  } while (performance.now() - begin < ms);
  return times.length > 1 ? times.slice(1) : times;
}
