/** Returns the first value found, or undefined if none is found in time. */
export async function waitUntil<T>(
  find: () => Promise<T | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<T | undefined> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

const PATIENCE_MS = 8_000;
const POLL_MS = 25;
