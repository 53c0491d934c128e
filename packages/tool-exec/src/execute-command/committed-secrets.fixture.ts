import { execFileSync } from "node:child_process";
import { afterAll, beforeAll } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

// Different in every commit, so that only the layer for git can hide it.
export const CANARY = "CANARY-c0mm";
const PLAIN = Array.from({ length: 9 }, (_, line) => `SETTING_${line}=the plain value ${line}\n`).join("");

interface CommittedSecrets extends AsyncDisposable {
  /** Runs a command, replacing `{blob}` and similar placeholders with object ids. */
  readonly run: (command: string) => ReturnType<ExecWorld["call"]>;
}

/** Runs commands in one repository with secrets in its history, shared by all tests of a file. */
export function inCommittedSecrets(): CommittedSecrets["run"] {
  let secrets: CommittedSecrets;
  beforeAll(async () => {
    secrets = await openCommittedSecrets();
  }, 60_000);
  afterAll(() => secrets[Symbol.asyncDispose]());
  return (command) => secrets.run(command);
}

/** Creates a repository with secrets in its history, in its stash, behind tags and in a submodule. */
async function openCommittedSecrets(): Promise<CommittedSecrets> {
  const world = await openExecWorld({}, { tools: [ExecuteCommand] });
  const git = gitIn(world.workspace);
  git("init", "-q", "-b", "main");
  const ids = commitSecrets(world, git);
  const run = (command: string) =>
    world.call("execute_command", {
      command: command.replace(/(?<!\^)\{(\w{3,6})\}/g, (whole, name: string) => ids[name] ?? whole),
    });
  return { run, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

export function gitIn(directory: string): (...args: string[]) => string {
  const settings = ["user.name=t", "user.email=t@t", "protocol.file.allow=always"];
  return (...args) =>
    execFileSync("git", ["-C", directory, ...settings.flatMap((each) => ["-c", each]), ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
}

export function lines(text: string): readonly string[] {
  return text.trim().split(/\n\s*/);
}

function commitSecrets(world: ExecWorld, git: ReturnType<typeof gitIn>): Readonly<Record<string, string>> {
  const commit = (message: string) => {
    git("add", "-A", "-f");
    git("commit", "-q", "-m", message);
  };
  world.write("README.md", "# Fixture\nplain words\n");
  world.write(".env", `KEY=${CANARY}-1\n${PLAIN}`);
  world.write("deploy/server.pem", `${CANARY}-pem\n`);
  world.write(".aws/config", `${CANARY}-aws\n`);
  world.write(".ssh/deploy", `${CANARY}-ssh\n`);
  commit("first");
  const ids = {
    blob: git("rev-parse", "HEAD:.env"),
    pem: git("rev-parse", "HEAD:deploy/server.pem"),
    tree: git("rev-parse", "HEAD^{tree}"),
    commit: git("rev-parse", "HEAD"),
    aws: git("rev-parse", "HEAD:.aws"),
    ssh: git("rev-parse", "HEAD:.ssh"),
    empty: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  };
  git("tag", "-a", "-m", "the tree", "treetag", ids.aws);
  git("tag", "lighttree", ids.aws);
  git("tag", "-a", "-m", "the blob", "blobtag", ids.blob);
  git("tag", "lightblob", ids.blob);
  world.write(".env", `KEY=${CANARY}-2\n${PLAIN}`);
  commit("second: .env");
  git("mv", ".env", "settings.txt");
  // Never a secret under this name, but git detects a rename.
  world.write("settings.txt", PLAIN);
  commit("renamed");
  world.write("README.md", "# Fixture\nother words\n");
  commit("cleared");
  world.write(".env", `KEY=${CANARY}-3\n`);
  git("add", "-f", ".env");
  git("stash", "-q");
  return ids;
}
