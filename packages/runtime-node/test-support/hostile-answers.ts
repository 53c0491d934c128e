import { type AddressInfo, createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

/** The bytes that a server writes to a connection, piece by piece, and how it closes it. */
export interface HostileAnswer {
  readonly name: string;
  readonly pieces: readonly Buffer[];
  readonly leaves: "end" | "destroy" | "reset" | "stay";
}

/** A server without any HTTP library: it writes the given bytes to each client. */
export async function serveRaw(answerFor: (path: string) => HostileAnswer | undefined) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", (request) => {
      const path = /^\S+ (\S+)/.exec(request.toString("latin1"))?.[1] ?? "/";
      const answer = answerFor(path);
      if (answer === undefined) socket.destroy();
      else void write(socket, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

async function write(socket: Socket, { pieces, leaves }: HostileAnswer): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (leaves === "end") socket.end();
  else if (leaves === "destroy") socket.destroySoon();
  else if (leaves === "reset") socket.resetAndDestroy();
}

/** Returns the same answers for the same seed. The first ones are those that once ended the process. */
export function hostileAnswers(count: number, seed: number): readonly HostileAnswer[] {
  const random = randomFrom(seed);
  const made = Array.from({ length: Math.max(0, count - KNOWN.length) }, (_, index) =>
    madeAnswer(index, random),
  );
  return [...KNOWN, ...made].slice(0, count);
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const page = (bytes: number) => Buffer.from("<p>word</p>\n".repeat(Math.ceil(bytes / 12))).subarray(0, bytes);
const head = (...lines: readonly string[]) => Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
const known = (
  name: string,
  pieces: readonly (string | Buffer)[],
  leaves: HostileAnswer["leaves"] = "end",
): HostileAnswer => ({
  name,
  pieces: pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "latin1") : piece)),
  leaves,
});

const OK = "HTTP/1.1 200 OK";
const CLOSE = "connection: close";
const HTML = "content-type: text/html";

const KNOWN: readonly HostileAnswer[] = [
  known("64 KB and no length", [head(OK, HTML, CLOSE), page(65_536)]),
  known("400 KB and no length", [head(OK, HTML, CLOSE), page(400_000)]),
  known("2 MB with a length", [head(OK, HTML, CLOSE, "content-length: 2000000"), page(2_000_000)]),
  known("a redirect with 200 KB", [head("HTTP/1.1 302 Found", CLOSE, "location: /ok"), page(200_000)]),
  known("a redirect to itself", [head("HTTP/1.1 302 Found", CLOSE, "location: /1")]),
  known("a redirect to nowhere", [head("HTTP/1.1 301 Moved", "location: http://[")]),
  known("gzip and no length", [head(OK, HTML, CLOSE, "content-encoding: gzip"), gzipSync(page(700_000))]),
  known("gzip that is none", [head(OK, CLOSE, "content-encoding: gzip"), page(200_000)]),
  known("gzip cut off", [
    head(OK, CLOSE, "content-encoding: gzip"),
    gzipSync(page(200_000)).subarray(0, 300),
  ]),
  known("gzip and garbage", [
    head(OK, CLOSE, "content-encoding: gzip"),
    Buffer.concat([gzipSync(page(90_000)), page(200_000)]),
  ]),
  known("a gzip bomb", [head(OK, CLOSE, "content-encoding: gzip"), gzipSync(Buffer.alloc(50_000_000))]),
  known("brotli", [head(OK, CLOSE, "content-encoding: br"), brotliCompressSync(page(100_000))]),
  known("deflate", [head(OK, CLOSE, "content-encoding: deflate"), deflateSync(page(100_000))]),
  known("raw deflate", [head(OK, CLOSE, "content-encoding: deflate"), deflateRawSync(page(100_000))]),
  known("twenty encodings", [head(OK, CLOSE, `content-encoding: ${"gzip,".repeat(20)}gzip`), page(70_000)]),
  known("an unknown encoding and a body", [head(OK, CLOSE, "content-encoding: zstd"), page(300_000)]),
  known("shorter than announced", [head(OK, "content-length: 900000"), page(70_000)]),
  known("longer than announced", [head(OK, "content-length: 10"), page(300_000)]),
  known("two lengths", [head(OK, "content-length: 10", "content-length: 20"), page(20)]),
  known("a length and chunks", [
    head(OK, "content-length: 5", "transfer-encoding: chunked"),
    "5\r\nhello\r\n0\r\n\r\n",
  ]),
  known("chunks that are none", [head(OK, "transfer-encoding: chunked"), "zz\r\nhello\r\n"]),
  known("a chunk of 2^64", [head(OK, "transfer-encoding: chunked"), "ffffffffffffffffff\r\nhello"]),
  known("a chunk extension of 1 MB", [
    head(OK, "transfer-encoding: chunked"),
    `5;${"x".repeat(1_000_000)}\r\nhello`,
  ]),
  known("trailers", [
    head(OK, "transfer-encoding: chunked"),
    "5\r\nhello\r\n0\r\nx-a: b\r\nlocation: /\r\n\r\n",
  ]),
  known("1 MB of trailers", [
    head(OK, "transfer-encoding: chunked"),
    `0\r\n${"x: y\r\n".repeat(160_000)}\r\n`,
  ]),
  known("interim answers for ever", ["HTTP/1.1 103 Early Hints\r\n\r\n".repeat(20_000)], "stay"),
  known("an interim answer, then a page", ["HTTP/1.1 100 Continue\r\n\r\n", head(OK, CLOSE), page(80_000)]),
  known("another protocol", [
    head("HTTP/1.1 101 Switching", "upgrade: websocket", "connection: upgrade"),
    page(9_000),
  ]),
  known("two answers", [head(OK, "content-length: 2"), "hi", head(OK, "content-length: 2"), "ho"]),
  known("no HTTP", ["SSH-2.0-OpenSSH_9.6\r\n", page(100_000)]),
  known("HTTP/0.9", [page(100_000)]),
  known("HTTP/2", [Buffer.from("505249202a20485454502f322e300d0a0d0a534d0d0a0d0a", "hex")]),
  known("nothing", []),
  known("a status of 999", [head("HTTP/1.1 999 Odd", CLOSE), page(80_000)]),
  known("a status of 0", [head("HTTP/1.1 000 Odd", CLOSE), page(80_000)]),
  known("204 with a body", [head("HTTP/1.1 204 None", CLOSE), page(200_000)]),
  known("304 with a body", [head("HTTP/1.1 304 Same", "content-length: 200000"), page(200_000)]),
  known("1 MB of headers", [
    head(OK, ...Array.from({ length: 20_000 }, (_, index) => `x-${index}: ${"v".repeat(40)}`)),
  ]),
  known("one header of 1 MB", [head(OK, `x: ${"v".repeat(1_000_000)}`)]),
  known("names of Object.prototype", [
    head(OK, "__proto__: x", "constructor: y", "toString: z", CLOSE),
    page(70_000),
  ]),
  known("bytes in headers", [
    Buffer.from(`${OK}\r\nlocation: \xff\xfe\r\nx: \0\r\n\r\n`, "latin1"),
    page(70_000),
  ]),
  known("a folded header", [`${OK}\r\nx: a\r\n b\r\n\r\n`, page(70_000)]),
  known("leaves at once", [head(OK, CLOSE), page(300_000)], "reset"),
  known("leaves after the headers", [head(OK, "content-length: 50000")], "destroy"),
];

/** Valid and invalid parts, combined at random and cut anywhere. */
function madeAnswer(index: number, random: () => number): HostileAnswer {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const lines = [pick(STATUS), ...HEADERS.filter(() => random() < 0.25)];
  const body = pick(BODIES)(Math.floor(random() ** 3 * 600_000));
  const bytes = Buffer.concat([head(...lines), body]);
  if (random() < 0.3)
    for (let flips = 0; flips < 8; flips += 1)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  const cuts = Array.from({ length: Math.floor(random() * 6) }, () => Math.floor(random() * bytes.length));
  const edges = [
    0,
    ...cuts.sort((a, b) => a - b),
    random() < 0.2 ? Math.floor(random() * bytes.length) : bytes.length,
  ];
  const pieces = edges
    .slice(1)
    .map((end, at) => bytes.subarray(edges[at], Math.max(end, edges[at] as number)));
  return { name: `made ${index}`, pieces, leaves: pick(["end", "end", "destroy", "reset"] as const) };
}

const STATUS = [
  OK,
  OK,
  OK,
  "HTTP/1.0 200 OK",
  "HTTP/1.1 302 Found",
  "HTTP/1.1 500 Oops",
  "HTTP/1.1 100 Continue",
  "HTTP/9.9 200",
];

const HEADERS = [
  CLOSE,
  "connection: keep-alive",
  HTML,
  "content-type: application/json",
  "content-type: text/plain; charset=utf-16",
  "content-length: 100",
  "content-length: 70000",
  "content-length: -1",
  "transfer-encoding: chunked",
  "content-encoding: gzip",
  "content-encoding: br",
  "location: /ok",
  "location: //",
  "set-cookie: a=b",
  "x: \xff",
];

const BODIES: readonly ((bytes: number) => Buffer)[] = [
  page,
  (bytes) => gzipSync(page(bytes)),
  (bytes) => brotliCompressSync(page(Math.min(bytes, 60_000))),
  (bytes) =>
    Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), page(bytes), Buffer.from("\r\n0\r\n\r\n")]),
  (bytes) => Buffer.alloc(bytes, 0xff),
  () => Buffer.alloc(0),
];
