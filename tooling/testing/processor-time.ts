/**
 * Starts measuring the processor time of this process, in milliseconds. Other work on the machine does not add to it,
 * so it can bound an algorithm, unlike wall time.
 */
export function measureProcessorTime(): () => number {
  const started = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
}
