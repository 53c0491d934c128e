/** Returns milliseconds on a clock that all threads of the process share; `performance.now()` starts with each thread. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}
