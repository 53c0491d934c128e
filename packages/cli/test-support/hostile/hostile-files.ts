import { deflateSync } from "node:zlib";
import type { Random } from "./random.js";

/** Files that read_file parses: notebooks, PDFs, images and awkward text. */
export interface HostileFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const OUTPUTS =
  '{"output_type":"stream","text":["x\\n"]},{"output_type":"display_data","data":{"text/html":["<b>"]}}';

export function hostileNotebooks(count: number, random: Random): readonly HostileFile[] {
  const known = [
    "{}",
    '{"cells":null}',
    '{"cells":{}}',
    `{"cells":[${"null,".repeat(400_000)}null]}`,
    `{"cells":[${"{},".repeat(400_000)}{}]}`,
    `{"cells":${"[".repeat(300_000)}${"]".repeat(300_000)}}`,
    `{"cells":[{"cell_type":"code","source":[${'"a\\n",'.repeat(500_000)}""]}]}`,
    `{"cells":[{"cell_type":"code","source":"${"x".repeat(12_000_000)}"}]}`,
    `{"cells":[{"cell_type":"code","source":"","outputs":[{"text":"${"\\n".repeat(3_000_000)}"}]}]}`,
    `{"cells":[{"cell_type":"code","source":"","outputs":[${'{"text":["a"]},'.repeat(150_000)}{}]}]}`,
    `{"cells":[{"source":"","outputs":[{"data":{"image/png":"${"A".repeat(20_000_000)}"}}]}]}`,
    `{"cells":[{"source":"","outputs":[{"text":"${"\\u001b[".repeat(500_000)}"}]}]}`,
    `{"cells":[${`{"cell_type":"code","source":["a\\n","b"],"outputs":[${OUTPUTS}]},`.repeat(60_000)}{}]}`,
    `{"cells":[${'{"cell_type":"markdown","source":"# a"},'.repeat(400_000)}{}]}`,
    `{"cells":[],"metadata":{${Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1,`).join("")}"z":1}}`,
    `{"cells":[{"cell_type":"code","outputs":[${"1,".repeat(15_000_000)}1]}]}`,
    `{"cells":[${" ".repeat(30_000_000)}]}`,
    '{"cells":[{"cell_type":{"__proto__":1},"source":{"a":1},"outputs":7}],"metadata":[]}',
  ];
  const parts = [
    '{"cells":[',
    '{"cell_type":"code",',
    '"source":',
    '["a\\n"]',
    "[",
    "]",
    "{",
    "}",
    ",",
    '"outputs":',
    "null",
    '"\\ud800"',
    "1e999",
  ];
  return Array.from({ length: count }, (_, index) => ({
    name: `n${index}.ipynb`,
    bytes: Buffer.from(known[index] ?? `{"cells":[${random.text(parts, 400)}]}`),
  }));
}

export function hostilePdfs(count: number, random: Random): readonly HostileFile[] {
  const valid = pdf("BT /F1 12 Tf 72 720 Td (Hello) Tj ET");
  const known = [
    valid,
    Buffer.from("%PDF-1.7\n"),
    Buffer.from(`%PDF-1.7\n${"1 0 obj\n".repeat(200_000)}`),
    pdf(`BT ${"(x) Tj ".repeat(200_000)} ET`),
    pdf("q ".repeat(1_000_000)),
    compressedPdf(Buffer.alloc(60_000_000, 0x20)),
    Buffer.concat([valid, Buffer.alloc(3_000_000, 0x25)]),
  ];
  return Array.from({ length: count }, (_, index) => ({
    name: `p${index}.pdf`,
    bytes: known[index] ?? random.damaged(valid),
  }));
}

function pdf(content: string): Buffer {
  return document(Buffer.from(content), "");
}

function compressedPdf(content: Buffer): Buffer {
  return document(deflateSync(content), "/Filter /FlateDecode ");
}

function document(stream: Buffer, filter: string): Buffer {
  const head =
    "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n" +
    "3 0 obj <</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>> endobj\n" +
    "5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n" +
    `4 0 obj <<${filter}/Length ${stream.length}>> stream\n`;
  return Buffer.concat([
    Buffer.from(head),
    stream,
    Buffer.from("\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF"),
  ]);
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const JPEG = Buffer.concat([
  Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
  Buffer.alloc(400, 0xff),
]);
const WEBP = Buffer.from(`RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0${"\0".repeat(24)}`, "latin1");

export function hostileImages(count: number, random: Random): readonly HostileFile[] {
  const known: readonly (readonly [string, Buffer])[] = [
    ["huge.png", Buffer.concat([PNG.subarray(0, 16), Buffer.alloc(8, 0xff), PNG.subarray(24)])],
    ["long.jpg", Buffer.concat([JPEG, Buffer.alloc(9_000_000, 0xff)])],
    [
      "markers.jpg",
      Buffer.concat([Buffer.from("ffd8", "hex"), Buffer.alloc(4_000_000, Buffer.from("ffe00002", "hex"))]),
    ],
    ["empty.png", Buffer.alloc(0)],
    ["svg.svg", Buffer.from(`<svg ${'a="b" '.repeat(400_000)}>`)],
    [
      "boxes.heic",
      Buffer.concat([Buffer.from("00000018667479706865696300000000", "hex"), Buffer.alloc(2_000_000)]),
    ],
    ["ifd.tiff", Buffer.concat([Buffer.from("49492a0008000000ffff", "hex"), Buffer.alloc(1_000_000, 0xff)])],
  ];
  const valid: readonly (readonly [string, Buffer])[] = [
    ["png", PNG],
    ["gif", GIF],
    ["jpg", JPEG],
    ["webp", WEBP],
  ];
  return Array.from({ length: count }, (_, index) => {
    const [name, bytes] = known[index] ?? [];
    if (name !== undefined && bytes !== undefined) return { name, bytes };
    const [extension, base] = random.pick(valid);
    return { name: `i${index}.${extension}`, bytes: random.damaged(base) };
  });
}

export function hostileTexts(count: number, random: Random): readonly HostileFile[] {
  const known = [
    "\n".repeat(4_900_000),
    "a\n".repeat(2_450_000),
    "x".repeat(10_000_000),
    "\r".repeat(3_000_000),
    "\r\n \t".repeat(1_000_000),
    "\u2028".repeat(1_000_000),
    `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    "\ufeff".repeat(500_000),
    "é".repeat(2_000_000),
  ];
  const parts = ["a", "\n", "\r", "\0", "\u202e", "\ufffd", "😀", " ".repeat(99), "\x1b[2J", "</untrusted>"];
  return Array.from({ length: count }, (_, index) => ({
    name: `t${index}.txt`,
    bytes: Buffer.from(known[index] ?? random.text(parts, 20_000)),
  }));
}
