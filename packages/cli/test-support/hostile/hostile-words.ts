import type { Random } from "./random.js";

// Short texts for our parsers: globs, ignore files, settings, patches.

export function hostileGlobs(count: number, random: Random): readonly string[] {
  const known = [
    "{a,b}".repeat(30),
    "{1..100000000}",
    "{{{{{{{{a,b},c},d},e},f},g},h},i}",
    "**/".repeat(200),
    "*a".repeat(300),
    "[".repeat(2_000),
    "@(a|a[(])b",
    "+(+(+(a)b)c)d",
    "!(!(!(a)))",
    "[\\1-\\3]",
    "?".repeat(3_000),
    "\\",
    "",
    "é".repeat(1_000),
  ];
  const parts = [
    "*",
    "**",
    "/",
    "?",
    "a",
    "[a-z]",
    "[",
    "]",
    "{a,b}",
    "{",
    "}",
    ",",
    "!(",
    "+(",
    ")",
    "|",
    "\\",
    "..",
    "é",
  ];
  return Array.from({ length: count }, (_, index) => known[index] ?? random.text(parts, 40));
}

export function hostileIgnoreFiles(count: number, random: Random): readonly string[] {
  const known = [
    "[".repeat(20_000),
    " ".repeat(60_000),
    "é".repeat(60_000),
    "*".repeat(20_000),
    "a*".repeat(20_000),
    "**/".repeat(20_000),
    "\\".repeat(50_000),
    "?".repeat(50_000),
    "[a-".repeat(10_000),
    "[[:alpha:]".repeat(5_000),
    "!".repeat(30_000),
    "x\n".repeat(200_000),
    "*a*b*c*d*e*f*g*h\n".repeat(20_000),
    `${"\\ ".repeat(30_000)} `,
    "\0\n\ufeff#\n/\n//\n!\n!!\n\\",
  ];
  const parts = [
    "*",
    "**",
    "/",
    "?",
    "a",
    "[",
    "]",
    "!",
    "\\",
    " ",
    "\n",
    "#",
    "é",
    "[!a",
    "\t",
    "\r\n",
    "{a,b}",
  ];
  return Array.from({ length: count }, (_, index) => known[index] ?? random.text(parts, 3_000));
}

export function hostileEditorConfigs(count: number, random: Random): readonly string[] {
  const known = [
    `[${"*".repeat(50_000)}]\nindent_size=4\n`,
    `[${"{a,b}".repeat(2_000)}]\nend_of_line=crlf\n`,
    `[{1..999999999}]\nend_of_line=crlf\n`,
    "[*]\ncharset=\u0000\nend_of_line=????\n",
    `${"[*]\nend_of_line=lf\n".repeat(60_000)}`,
    `${"[".repeat(100_000)}`,
    `[*]\n${"a=b\n".repeat(100_000)}`,
    numbered(30_000, (index) => `[*.x${index}]\nindent_size=2\n`),
    numbered(30_000, (index) => `[**/a*b*c${index}{x,y}]\nend_of_line=lf\n`),
    numbered(20_000, (index) => `[{a,b}{c,d}{e,f}${index}]\nend_of_line=lf\n`),
    `${"[*]\nend_of_line=\n".repeat(200_000)}`,
    `[*]\nend_of_line=${"x".repeat(500_000)}\n`,
    `${"=".repeat(200_000)}`,
    `[${"[!".repeat(10_000)}]\ninsert_final_newline=true\n`,
    `${";".repeat(300_000)}\n${"#".repeat(300_000)}`,
  ];
  const parts = [
    "[*]",
    "[",
    "]",
    "\n",
    "=",
    "end_of_line",
    "lf",
    "charset",
    "utf-16le",
    "{",
    "}",
    "**",
    ",",
    "1..9",
    "!",
    "\r",
    "root=true",
  ];
  return Array.from({ length: count }, (_, index) => known[index] ?? random.text(parts, 500));
}

export function hostilePatches(count: number, random: Random): readonly string[] {
  const known = [
    "*** Begin Patch\n".repeat(20_000),
    `*** Begin Patch\n*** Update File: a.txt\n${"@@\n".repeat(100_000)}*** End Patch`,
    `*** Begin Patch\n*** Update File: a.txt\n${"@@ class T\n-a\n+b\n".repeat(20_000)}*** End Patch`,
    `--- a/a.txt\n+++ b/a.txt\n@@ -1,999999999 +1,999999999 @@\n${" x\n".repeat(100_000)}`,
    `--- a/a.txt\n+++ b/a.txt\n${"@@ -1 +1 @@\n-a\n+b\n".repeat(30_000)}`,
    `${"diff --git a/a.txt b/a.txt\n".repeat(50_000)}`,
    `*** Begin Patch\n*** Add File: n.txt\n${"+x\n".repeat(300_000)}*** End Patch`,
    `--- a/a.txt\n+++ b/a.txt\n@@ -${"9".repeat(500)} +1 @@\n-a\n+b\n`,
    "-".repeat(1_000_000),
    `*** Begin Patch\n*** Update File: a.txt\n${"-line\n+line\n".repeat(60_000)}*** End Patch`,
    `*** Begin Patch\n${numbered(20_000, (index) => updateOf(index % 2 === 0 ? "-a\n+x\n" : "-x\n+a\n"))}*** End Patch`,
    `*** Begin Patch\n${numbered(20_000, () => updateOf("-z\n+x\n"))}*** End Patch`,
    `*** Begin Patch\n${numbered(1_500, (index) => `*** Add File: d/f${index}.txt\n+x\n`)}*** End Patch`,
    numbered(1_000, (index) => `--- /dev/null\n+++ b/e${index}/f.txt\n@@ -0,0 +1 @@\n+x\n`),
    numbered(20_000, (index) => unifiedOf(index % 2 === 0 ? "-a\n+x\n" : "-x\n+a\n")),
    numbered(500, (index) => `diff --git a/a.txt b/r${index}\nrename from a.txt\nrename to r${index}\n`),
    "\n".repeat(3_000_000),
    `*** Begin Patch\n*** Add File: n2.txt\n${"+\n".repeat(390_000)}*** End Patch`,
    `--- /dev/null\n+++ b/n3.txt\n@@ -0,0 +1,390000 @@\n${"+\n".repeat(390_000)}`,
    `--- a/a.txt\n+++ b/a.txt\n${numbered(100_000, (index) => `@@ -${index + 1} +${index + 1} @@\n-a\n+b\n`)}`,
    `--- "a/${"\\303".repeat(300_000)}"\n+++ "b/x"\n@@ -1 +1 @@\n-a\n+b\n`,
    "\0\0\0",
    "",
  ];
  const parts = [
    "*** Begin Patch\n",
    "*** Update File: a.txt\n",
    "*** End Patch\n",
    "@@\n",
    "@@ -1,2 +1,2 @@\n",
    "-a\n",
    "+b\n",
    " c\n",
    "--- a/a.txt\n",
    "+++ b/a.txt\n",
    "\n",
    "\\ No newline at end of file\n",
    "rename from a\n",
    "GIT binary patch\n",
  ];
  return Array.from({ length: count }, (_, index) => known[index] ?? random.text(parts, 200));
}

function numbered(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join("");
}

function updateOf(lines: string): string {
  return `*** Update File: a.txt\n@@\n${lines}`;
}

function unifiedOf(lines: string): string {
  return `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n${lines}`;
}
