import { pick, type Random } from "./generated-history.fixture.js";

/** Damages a patch as models, editors, copying or an attacker might. */
export function mutated(patch: string, random: Random): string {
  const lines = patch.replace(/\n$/, "").split("\n");
  const damaged = pick(random, DAMAGES)({ patch, lines, random });
  return typeof damaged === "string" ? damaged : `${damaged.join("\n")}\n`;
}

interface Damaged {
  readonly patch: string;
  readonly lines: readonly string[];
  readonly random: Random;
}

const STRAY = [
  "",
  " ",
  "+x",
  "-x",
  " alpha",
  "garbage",
  "@@ -1 +1 @@",
  "\\ No newline at end of file",
  "--- a/x",
  "+++ b/x",
];

/** Each returns the lines of the damaged patch, or all of it. */
const DAMAGES: readonly ((patch: Damaged) => string | readonly string[])[] = [
  ({ lines, random }) => lines.toSpliced(random(lines.length), 1),
  ({ lines, random }) => {
    const at = random(lines.length);
    return lines.toSpliced(at, 0, lines[at] ?? "");
  },
  ({ lines, random }) => lines.toSpliced(random(lines.length), 0, pick(random, STRAY)),
  withOtherNumber,
  withOtherNumber,
  ({ lines, random }) => {
    const [left, right] = [random(lines.length), random(lines.length)];
    return lines.with(left, lines[right] ?? "").with(right, lines[left] ?? "");
  },
  ({ lines, random }) => lines.slice(0, random(lines.length)),
  ({ lines, random }) => {
    const at = random(lines.length);
    return lines.with(at, `${(lines[at] ?? "").slice(0, 1)}${pick(random, ["alpha", "beta 1", ""])}`);
  },
  ({ patch }) => patch.replaceAll("\r\n", "\n"),
  ({ patch }) => patch.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"),
  ({ patch }) => patch.replace(/^([-+ ].*[^\r])$/gm, "$1\r").replace(/^((?:---|\+\+\+) .*)\r$/gm, "$1"),
  ({ patch, random }) => {
    const sections = patch.split(/^(?=diff --git )/m);
    const section = 1 + random(Math.max(1, sections.length - 1));
    return sections.toSpliced(1 + random(sections.length), 0, sections[section] ?? "").join("");
  },
  ({ lines, random }) =>
    inHeader({ lines, random }, (header) =>
      header.replace(/([-+])\d+/g, (number, sign) => (random(2) === 0 ? `${sign}0` : number)),
    ),
  ({ patch, random }) =>
    patch.replace(/\b(?:100644|100755|120000)$/m, pick(random, ["100644", "100755", "120000", "160000"])),
];

/** Changes one number of a hunk header. */
function withOtherNumber({ lines, random }: Damaged): readonly string[] {
  return inHeader({ lines, random }, (header) => {
    const numbers = header.match(/\d+/g) ?? [];
    const changed = random(Math.min(4, Math.max(1, numbers.length)));
    let seen = -1;
    return header.replace(/\d+/g, (number) => {
      seen += 1;
      return seen === changed
        ? String(Math.max(0, Number(number) + pick(random, [-2, -1, 1, 2, 7])))
        : number;
    });
  });
}

/** Changes one hunk header, or any line of a patch that has none. */
function inHeader(
  { lines, random }: Pick<Damaged, "lines" | "random">,
  change: (header: string) => string,
): readonly string[] {
  const headers = lines.flatMap((line, index) => (line.startsWith("@@ -") ? [index] : []));
  const at = pick(random, headers.length > 0 ? headers : [random(lines.length)]);
  return lines.with(at, change(lines[at] ?? ""));
}
