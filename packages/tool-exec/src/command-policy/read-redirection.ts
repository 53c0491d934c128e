import type { Redirection } from "unbash";
import type { PlannedRedirection, StandardDescriptor } from "./command-plan.js";
import { readWord } from "./read-word.js";

type RedirectionReading =
  | { readonly redirections: readonly PlannedRedirection[] }
  | { readonly unsupported: string; readonly suggestion?: string };

/** Parses a redirection. Only /dev/null, copies of a standard descriptor and reading a file work without a shell. */
export function readRedirection(redirection: Redirection): RedirectionReading {
  if (redirection.type === "HereDoc") return { unsupported: "a here-document", suggestion: hereSuggestion };
  if (redirection.type === "HereString") return { unsupported: "a here-string", suggestion: hereSuggestion };
  if (redirection.descriptor?.type === "FileDescriptorVariable") return { unsupported: "a named descriptor" };
  const reading = redirection.target === undefined ? undefined : readWord(redirection.target);
  if (reading === undefined) return { unsupported: "a redirection without a target" };
  if ("unsupported" in reading) return { unsupported: `${reading.unsupported} in a redirection` };
  if (reading.word.kind === "glob") return { unsupported: "a glob in a redirection" };
  return wire(redirection.operator, redirection.descriptor?.value, reading.word.value);
}

/** Returns the file that a redirection writes to, if its name is known. */
export function writtenBy(redirection: Redirection): string | undefined {
  if (redirection.type === "HereDoc" || redirection.type === "HereString") return undefined;
  const { operator, target } = redirection;
  if (operator === "<" || operator === "<&" || target === undefined) return undefined;
  const reading = readWord(target);
  if (!("word" in reading) || (operator === ">&" && /^(?:\d+|-)$/.test(reading.word.value))) return undefined;
  return reading.word.value;
}

const hereSuggestion = "write the text with write_file, or use run_code";

function wire(operator: string, descriptor: number | undefined, target: string): RedirectionReading {
  if (operator === "<") return wireInput(descriptor, target);
  if (operator === "<&" || (operator === ">&" && /^\d+$/.test(target))) {
    return wireDuplicate(descriptor ?? (operator === "<&" ? 0 : 1), target);
  }
  if (operator === "<>") return { unsupported: "opening a file for reading and writing" };
  if (target !== "/dev/null") {
    return { unsupported: "writing to a file by redirection", suggestion: "write_file or append_file" };
  }
  if (operator === "&>" || operator === "&>>" || (operator === ">&" && descriptor === undefined)) {
    return { redirections: [nullTo(1), nullTo(2)] };
  }
  if (operator === ">&") return { unsupported: "an ambiguous redirection" };
  const fd = descriptor ?? 1;
  return isStandard(fd) ? { redirections: [nullTo(fd)] } : extraDescriptor;
}

function wireInput(descriptor: number | undefined, target: string): RedirectionReading {
  if ((descriptor ?? 0) !== 0) return extraDescriptor;
  if (target === "/dev/null") return { redirections: [nullTo(0)] };
  return { redirections: [{ kind: "read", fd: 0, path: target }] };
}

function wireDuplicate(fd: number, target: string): RedirectionReading {
  const from = Number(target);
  if (!/^\d+$/.test(target)) return { unsupported: "closing or moving a descriptor" };
  if (!isStandard(fd) || !isStandard(from)) return extraDescriptor;
  return { redirections: [{ kind: "duplicate", fd, from }] };
}

const extraDescriptor = { unsupported: "a descriptor other than 0, 1 and 2" } as const;

function nullTo(fd: StandardDescriptor): PlannedRedirection {
  return { kind: "null", fd };
}

function isStandard(fd: number): fd is StandardDescriptor {
  return fd === 0 || fd === 1 || fd === 2;
}
