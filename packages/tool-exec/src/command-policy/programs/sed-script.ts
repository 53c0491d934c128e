/**
 * Accepts sed scripts that only select and substitute: `p d q =` and `s` with the flags g, p, i, I and numbers, after
 * any address, separated by semicolons or newlines. Commands that run, read or write (e, r, R, w, W, and labels,
 * which could be misread) are outside this grammar.
 */
export function isPlainSedScript(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    at = skip(script, at, /[\s;]*/y);
    if (at >= script.length) return true;
    const afterCommand = readCommand(script, readAddresses(script, at));
    if (afterCommand === undefined) return false;
    at = skip(script, afterCommand, /[ \t]*/y);
    if (at < script.length && !/[;\n]/.test(script[at] ?? "")) return false;
  }
  return true;
}

function readAddresses(script: string, start: number): number | undefined {
  const first = readAddress(script, start);
  if (first === undefined) return undefined;
  let at = skip(script, first, /[ \t]*/y);
  if (first > start && script[at] === ",") {
    const from = skip(script, at + 1, /[ \t]*/y);
    const second = readAddress(script, from);
    if (second === undefined || second === from) return undefined;
    at = second;
  }
  return skip(script, at, /[ \t]*!?[ \t]*/y);
}

// Returns the start itself if there is no address.
function readAddress(script: string, start: number): number | undefined {
  if (script[start] !== "/") return skip(script, start, /\$|[+~]?\d+(?:~\d+)?/y);
  const end = readSection(script, start + 1, "/");
  return end === undefined ? undefined : skip(script, end, /I?/y);
}

function readCommand(script: string, start: number | undefined): number | undefined {
  if (start === undefined) return undefined;
  const command = script[start] ?? "";
  if (command === "q") return skip(script, start + 1, /[ \t]*\d*/y);
  if (/[pd=]/.test(command)) return start + 1;
  return command === "s" ? readSubstitution(script, start + 1) : undefined;
}

function readSubstitution(script: string, start: number): number | undefined {
  const delimiter = script[start] ?? "";
  if (!/[/|,#@:!%_~+]/.test(delimiter)) return undefined;
  const afterPattern = readSection(script, start + 1, delimiter);
  if (afterPattern === undefined) return undefined;
  const afterReplacement = readSection(script, afterPattern, delimiter, false);
  return afterReplacement === undefined ? undefined : skip(script, afterReplacement, /[gpiI0-9]*/y);
}

// Implementations disagree about a delimiter inside [ ], so a pattern that ends with an open bracket is refused.
function readSection(script: string, start: number, delimiter: string, isPattern = true): number | undefined {
  for (let at = start; at < script.length; at += 1) {
    if (script[at] === "\\") at += 1;
    else if (script[at] === "\n") return undefined;
    else if (script[at] === delimiter) {
      return isPattern && hasOpenBracket(script.slice(start, at)) ? undefined : at + 1;
    }
  }
  return undefined;
}

function hasOpenBracket(pattern: string): boolean {
  const unescaped = pattern.replace(/\\./gs, "");
  return unescaped.lastIndexOf("[") > unescaped.lastIndexOf("]");
}

function skip(script: string, start: number, pattern: RegExp): number {
  const sticky = new RegExp(pattern.source, "y");
  sticky.lastIndex = start;
  sticky.exec(script);
  return Math.max(start, sticky.lastIndex);
}
