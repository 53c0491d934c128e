import { firstObjection, type Objection, unlisted } from "../objection.js";
import { objectToPath } from "../path-check.js";
import type { ProgramCall, ProgramRule } from "../program-rule.js";
import { wordList } from "../word-list.js";
import { objectToDirectory } from "./package-managers.js";

/**
 * Returns true for programs that execute their arguments. They may run only with the exact arguments of the allow
 * list, without input (which some would execute), from the workspace root (whose configuration was meant).
 */
export function isExactProgram(name: string): boolean {
  return exactNames.has(name) || /^(?:python|pypy|ruby|perl|lua|php|node)[\d.]*$/.test(name);
}

export const objectToExactProgram: ProgramRule = (call) => {
  if (call.args.length === 1 && /^(?:--version|-version|-V|-v)$/.test(call.args[0] ?? "")) return undefined;
  const operandsOnly = operandForms[call.name]?.(call);
  if (operandsOnly !== undefined) return operandsOnly === "fine" ? objectToDirectory(call) : operandsOnly;
  if (!call.isListedExactly) return unlisted(listedExactly(call.name), suggestionFor(call.name));
  if (call.hasInput) return unlisted(`${call.name} might execute its input`, "run_code");
  return objectToDirectory(call);
};

/** The reason for refusing other arguments than the listed ones. */
export function listedExactly(name: string): string {
  return `${name} may only run exactly as listed`;
}

// `node --check FILE` parses without running, `node --test` runs the workspace's tests: both take only paths.
const operandForms: Readonly<Record<string, (call: ProgramCall) => Objection | "fine" | undefined>> = {
  node: (call) => {
    const [mode = "", ...files] = call.args;
    if (!["--check", "-c", "--test"].includes(mode) || (files.length === 0 && mode !== "--test"))
      return undefined;
    if (files.some((file) => file.startsWith("-"))) return undefined;
    return firstObjection(files, (file) => objectToPath(file, call.scope)) ?? "fine";
  },
};

function suggestionFor(name: string): string | undefined {
  return name === "make" ? undefined : "run_code";
}

const exactNames: ReadonlySet<string> = new Set(
  wordList(
    "bash sh dash zsh ksh mksh fish csh tcsh ash busybox toybox pwsh powershell cmd nodejs deno bun bunx",
    "tsx ts-node irb Rscript osascript tclsh expect make gmake cmake ninja just rake ant mvn gradle sudo",
    "su doas ssh scp sftp rsync docker podman kubectl nsenter unshare chroot bwrap script watch parallel",
    "entr gdb lldb strace ltrace perf vim vi ex view nvim ed emacs nano less more most man info screen",
    "tmux at batch crontab systemd-run systemctl curl wget nc ncat socat telnet ftp m4 dc bc sqlite3 psql",
    "mysql ftp zip unzip cpio ar dd tee openssl gpg pip pip3 pipx uv poetry gem bundle composer cargo go",
    "corepack dotnet java javac groovy scala ghc runghc erl elixir iex mix swift zig gcc",
  ),
);
