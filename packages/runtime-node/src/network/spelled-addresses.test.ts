import { ToolError } from "@haft/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackServer, startServer } from "../../test-support/loopback-web.js";
import { guardedClient } from "./guarded-client.js";
import { WebUrlPolicy } from "./web-url-policy.js";

// Addresses of every blocked range, in every spelling that a URL parser or a resolver accepts.

const RANGES: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 0, 0],
  [10, 0, 0, 0],
  [100, 64, 0, 0],
  [127, 0, 0, 0],
  [169, 254, 0, 0],
  [172, 16, 0, 0],
  [192, 0, 0, 0],
  [192, 168, 0, 0],
  [198, 18, 0, 0],
  [224, 0, 0, 0],
  [240, 0, 0, 0],
];

/** An address inside a blocked range. */
const inner = fc
  .tuple(fc.constantFrom(...RANGES), fc.integer({ min: 0, max: 255 }))
  .map(([[a, b, c], last]) => [a, b, c, last] as const);

const number = (value: number) =>
  fc.constantFrom(
    String(value),
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0${value.toString(8)}`,
    `000${value.toString(8)}`,
    `0x0000${value.toString(16)}`,
  );

/** One to four numbers; the last one holds the remaining bytes. */
const numbers = fc.tuple(inner, fc.integer({ min: 1, max: 4 })).chain(([bytes, count]) => {
  const parts: number[] = bytes.slice(0, count - 1);
  const rest = bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0);
  return fc.tuple(...[...parts, rest].map(number)).map((written) => written.join("."));
});

const disguised = fc
  .tuple(numbers, fc.constantFrom("", "."), fc.integer({ min: 0, max: 2 }))
  .map(([text, dot, way]) => {
    if (way === 1) return `${percentEncoded(text)}${dot}`;
    if (way === 2) return `${fullWidth(text)}${dot}`;
    return `${text}${dot}`;
  });

const wrapped = fc
  .tuple(inner, fc.constantFrom("::ffff:", "::", "64:ff9b::", "::ffff:0:", "0:0:0:0:0:FFFF:"), fc.boolean())
  .map(([[a, b, c, d], prefix, isHex]) =>
    isHex
      ? `[${prefix}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`
      : `[${prefix}${a}.${b}.${c}.${d}]`,
  );

function percentEncoded(text: string): string {
  return Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join("");
}

function fullWidth(text: string): string {
  return Array.from(text, (char) =>
    char === "." ? "。" : String.fromCharCode(char.charCodeAt(0) + 0xfee0),
  ).join("");
}

let canary: LoopbackServer;
beforeAll(async () => {
  canary = await startServer((_request, response) => void response.end("canary"));
});
afterAll(() => canary.close());

describe("D24: a private address is refused in every spelling", () => {
  it("in a URL", () => {
    const policy = new WebUrlPolicy({ ports: [80, 443, canary.port] });
    fc.assert(
      fc.property(fc.oneof(disguised, wrapped), fc.constantFrom("http", "https"), (host, scheme) => {
        expect(policy.judge(`${scheme}://${host}:${canary.port}/`).verdict, host).toBe("refused");
      }),
      { numRuns: 1000 },
    );
  });

  it("as the answer of a resolver, alone or among public ones", async () => {
    const spelled = fc.oneof(
      inner.map((bytes) => bytes.join(".")),
      wrapped.map((host) => host.slice(1, -1)),
    );
    const others = fc.array(fc.constantFrom("93.184.216.34", "2606:4700:4700::1111"), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(spelled, others, others, async (address, before, after) => {
        const client = guardedClient({
          hosts: ["a.test"],
          ports: [canary.port],
          requestsPerMinute: 10_000,
          lookup: () => [...before, address, ...after],
        });
        const failure: unknown = await client
          .fetch({ url: `http://a.test:${canary.port}/` }, new AbortController().signal)
          .catch((error: unknown) => error);
        expect(ToolError.is(failure) && failure.code, address).toBe("URL_DENIED");
      }),
      { numRuns: 300 },
    );
    expect(canary.connections()).toBe(0);
  });
});
