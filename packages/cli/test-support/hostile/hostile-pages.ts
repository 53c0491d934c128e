import type { HostileAnswer } from "../../../runtime-node/test-support/hostile-answers.js";
import type { Random } from "./random.js";

/** Well-formed HTTP responses with bodies that are hard to convert. */
export function hostilePages(count: number, random: Random): readonly HostileAnswer[] {
  return Array.from({ length: count }, (_, index) => {
    const [type, body] = KNOWN[index] ?? ["text/html", made(random)];
    const bytes = Buffer.from(body);
    const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\nconnection: close\r\n\r\n`;
    return { name: String(index), pieces: [Buffer.from(head), bytes], leaves: "end" as const };
  });
}

const html = (body: string) => ["text/html", body] as const;
const json = (body: string) => ["application/json", body] as const;

const KNOWN: readonly (readonly [string, string])[] = [
  html("<div>".repeat(800_000)),
  html("<a>".repeat(1_500_000)),
  html("<p>x".repeat(900_000)),
  html("\n".repeat(4_900_000)),
  html("a\n".repeat(2_400_000)),
  html("<".repeat(4_000_000)),
  html("&amp;".repeat(900_000)),
  html("<script></script>".repeat(280_000)),
  html("<!--".repeat(1_000_000)),
  html(`<a href="${"x".repeat(4_000_000)}">`),
  html(`<table>${"<tr><td>a</td></tr>".repeat(100_000)}</table>`),
  html(`${"<ul><li>".repeat(100_000)}`),
  html(`<pre>${" \n".repeat(2_000_000)}</pre>`),
  html(`<title>${"<".repeat(1_000_000)}`),
  html(`<meta charset="${"x".repeat(1_000_000)}">`),
  html(`${" ".repeat(4_900_000)}x`),
  json(`${"[".repeat(70_000)}${"]".repeat(70_000)}`),
  json(`${"[".repeat(12_000)}${"1,".repeat(59_000)}1${"]".repeat(12_000)}`),
  json(`[${"[],".repeat(1_500_000)}[]]`),
  json(`{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":1`).join()}}`),
  json(`"${"\\u0000".repeat(800_000)}"`),
  json(`{"a":${'{"a":'.repeat(100_000)}`),
  ["text/plain", "x".repeat(4_900_000)],
  ["text/plain", "ghp_".repeat(1_200_000)],
  ["text/plain", "A".repeat(16).concat("=").repeat(280_000)],
  ["text/plain", "-----BEGIN PRIVATE KEY-----\n".repeat(170_000)],
  ["text/plain; charset=utf-16le", "ab".repeat(2_400_000)],
  ["text/plain; charset=iso-2022-jp", "\x1b$B".repeat(1_600_000)],
  ["image/png", "x".repeat(4_000_000)],
  ["application/octet-stream", "\0".repeat(4_000_000)],
];

const PARTS = [
  "<div>",
  "</div>",
  "<p>",
  "<table><tr><td>",
  "<pre>",
  "<script>",
  "</",
  "<!--",
  "&#x1F600;",
  "&",
  "\n",
  "<a href='//x'>",
  "<img src=x>",
  "\ufffd",
  "<svg>",
  "]]>",
  "<li>",
  "text ",
];

function made(random: Random): string {
  return random.text(PARTS, 30_000);
}
