import { lookup as systemLookup } from "node:dns";
import { isIP } from "node:net";

/**
 * Finds the addresses of a name. Matches Node's `dns.lookup`, and any function that takes a name and returns
 * addresses or a promise of them.
 */
export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly verbatim: true },
  callback: (error: Error | null, found: unknown) => void,
) => unknown;

/** Returns all addresses of a name from one lookup. Rejects if there are none. */
export async function resolveHost(host: string, lookup: Lookup = systemLookup): Promise<readonly string[]> {
  const found = addressesOf(await answerOf(host, lookup));
  if (found.length === 0) throw new Error(`the name ${host} has no address`);
  const strange = found.find((address) => isIP(address) === 0);
  if (strange !== undefined) throw new Error(`the name ${host} was resolved to an invalid address`);
  return [...new Set(found)];
}

function answerOf(host: string, lookup: Lookup): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const returned = lookup(host, { all: true, verbatim: true }, (error, found) =>
      error ? reject(error) : resolve(found),
    );
    if (returned instanceof Promise) returned.then(resolve, reject);
    else if (typeof returned === "string" || Array.isArray(returned)) resolve(returned);
  });
}

function addressesOf(answer: unknown): readonly string[] {
  const answers: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return answers.map((one) =>
    String(typeof one === "object" && one !== null && "address" in one ? one.address : one),
  );
}
