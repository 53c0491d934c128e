import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { onTerminal } from "./fixtures/pty-session.js";
import { BIN, runHaft } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// Each test starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 });

const SHELLS = ["bash", "zsh", "fish"] as const;
const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

let workspace: ReturnType<typeof temporaryWorkspace>;
/** A folder with the command and its completion scripts. */
let folder: string;
let runId: string;
beforeAll(async () => {
  workspace = temporaryWorkspace({ "notes.txt": "hello\n", "roles/mine.json": "{}" });
  folder = mkdtempSync(join(tmpdir(), "haft-completions-"));
  writeFileSync(join(folder, "haft"), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(join(folder, "haft"), 0o755);
  const model = await startScriptedModel([{ text: "Hi." }]);
  const { cwd } = here();
  await runHaft(["run", "say hi: now", "--base-url", model.url, "--model", "m"], here());
  await model.close();
  [{ runId }] = (await runHaft(["runs", "--json"], here())).json();
  for (const shell of SHELLS) {
    const { stdout } = await runHaft(["completions", shell], { cwd });
    mkdirSync(join(folder, shell));
    writeFileSync(join(folder, shell, shell === "zsh" ? "_haft" : `haft.${shell}`), stdout);
  }
});
afterAll(() => {
  workspace.remove();
  rmSync(folder, { recursive: true });
});

const here = () => ({ cwd: workspace.folder, env: { XDG_STATE_HOME: `${workspace.folder}-state` } });
const environment = () => ({
  ...process.env,
  ...here().env,
  HOME: folder,
  PATH: `${folder}:${process.env.PATH}`,
});

/** A line up to the cursor, the expected completions, and those that must not be offered. */
const LINES: readonly (readonly [line: string, offered: readonly string[], not: readonly string[]])[] = [
  ["haft c", ["call", "changes", "completions", "console"], ["run", "__complete"]],
  ["haft runs s", ["show"], []],
  ["haft policy re", ["replay", "revoke"], ["explain"]],
  ["haft run --max-", ["--max-steps", "--max-minutes", "--max-tokens", "--max-cost"], ["--model"]],
  ["haft run --once --o", [], ["--once"]],
  ["haft tools --role r", ["reader", "researcher"], ["coder"]],
  ["haft tools --dialect c", ["canonical", "claude", "camel"], []],
  ["haft call read_", ["read_file"], ["write_file"]],
  ["haft call --role researcher w", ["web_fetch"], ["write_file"]],
  ["haft policy explain ed", ["edit", "edit_lines"], []],
  ["haft mcp install --client c", ["claude-code", "claude-desktop", "codex", "cursor"], []],
  ["haft help mod", ["models"], []],
  ["haft completions z", ["zsh"], []],
];

/** Returns the values of completions, without their descriptions. */
const valuesIn = (text: string) => text.split("\n").flatMap((line) => line.split("\t")[0] || []);

describe("haft __complete", () => {
  it.each(LINES)("%s", async (line, offered, not) => {
    const words = line.split(" ").slice(1);
    const values = valuesIn((await runHaft(["__complete", "--", ...words], here())).stdout);
    expect(values).toEqual(expect.arrayContaining([...offered]));
    for (const value of not) expect(values).not.toContain(value);
  });

  it("offers sessions with their tasks, and never fails", async () => {
    const { stdout } = await runHaft(["__complete", "--", "undo", "--run", ""], here());
    expect(stdout).toMatch(new RegExp(`^${runId}\\tsay hi: now \\(done, \\d+ s\\)\\n$`));
    const broken = await runHaft(["__complete", "--", "call", "--config", "no-such-file", ""], here());
    expect(broken).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });
});

describe.skipIf(!has("bash"))("FU5 completion in bash", () => {
  const complete = (line: string) => {
    const words = line.split(/ |(=)/).filter((word) => word !== undefined);
    const script = `source '${folder}/bash/haft.bash'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _haft haft; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const options = { cwd: workspace.folder, env: environment(), encoding: "utf8" as const };
    return valuesIn(execFileSync("bash", ["-c", script], options));
  };

  it.each(LINES)("%s", (line, offered, not) => {
    expect(complete(line)).toEqual(expect.arrayContaining([...offered]));
    for (const value of not) expect(complete(line)).not.toContain(value);
  });

  it("sessions, files, and values after an equals sign", () => {
    expect(complete(`haft run --continue ${runId.slice(0, 4)}`)).toEqual([runId]);
    expect(complete("haft tools --config no")).toEqual(["notes.txt"]);
    expect(complete("haft tools --role=re")).toEqual(["reader", "researcher"]);
  });
});

describe.skipIf(!has("fish"))("FU5 completion in fish", () => {
  const complete = (line: string) => {
    const script = `source '${folder}/fish/haft.fish'; complete -C '${line}'`;
    const options = { cwd: workspace.folder, env: environment(), encoding: "utf8" as const };
    return valuesIn(execFileSync("fish", ["--no-config", "-c", script], options));
  };

  it.each(LINES)("%s", (line, offered, not) => {
    expect(complete(line)).toEqual(expect.arrayContaining([...offered]));
    for (const value of not) expect(complete(line)).not.toContain(value);
  });

  it("sessions, files, and values after an equals sign", () => {
    expect(complete(`haft run --continue ${runId.slice(0, 4)}`)).toEqual([runId]);
    expect(complete("haft tools --config no")).toEqual(["notes.txt"]);
    expect(complete("haft tools --role=re")).toEqual(["--role=reader", "--role=researcher"]);
    expect(complete("haft tools --config=no")).toEqual(["--config=notes.txt"]);
  });
});

describe.skipIf(!has("zsh"))("FU5 completion in zsh", () => {
  /** Returns the line after Tab, or the candidates below it if there are several. */
  async function typed(line: string, shown: RegExp): Promise<string> {
    writeFileSync(
      join(folder, ".zshrc"),
      `fpath=('${folder}/zsh' $fpath)\nautoload -Uz compinit\ncompinit -u -d '${folder}/zcompdump'\nPS1='%% '\n`,
    );
    const env = { ...here().env, HOME: folder, ZDOTDIR: folder, PATH: `${folder}:${process.env.PATH}` };
    const shell = onTerminal(["zsh", "-i"], { cwd: workspace.folder, env });
    try {
      await shell.until(/% ?$/);
      shell.type(`${line}\t`);
      return await shell.until(shown);
    } finally {
      shell.hangUp();
    }
  }

  it.each([
    ["haft compl", /haft completions/],
    ["haft runs s", /haft runs show/],
    ["haft run --max-s", /haft run --max-steps/],
    ["haft tools --role rea", /haft tools --role reader/],
    ["haft tools --role=rea", /haft tools --role=reader/],
    ["haft call read_f", /haft call read_file/],
    ["haft mcp install --client co", /haft mcp install --client codex/],
    ["haft tools --config no", /haft tools --config notes\.txt/],
    ["haft c", /call +-- call one tool[\s\S]*changes +-- list the changes/],
  ])("%s", async (line, shown) => {
    await typed(line, shown);
  });

  it("sessions, with their tasks", async () => {
    await typed(`haft run --continue ${runId.slice(0, 4)}`, new RegExp(`--continue ${runId}`));
  });

  it("also works when it is sourced", () => {
    const script = `autoload -Uz compinit; compinit -u -d '${folder}/zcompdump2'; source '${folder}/zsh/_haft'; print $_comps[haft]`;
    const options = { env: environment(), encoding: "utf8" as const };
    expect(execFileSync("zsh", ["-f", "-c", script], options).trim()).toBe("_haft");
  });
});
