// Creates a new folder with files for every test of a file, and runtimes over it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createNodeRuntime, type NodeRuntime } from "../src/create-node-runtime.js";
import type { NodeRuntimeOptions } from "../src/node-runtime-options.js";

export interface RuntimeFolder {
  /** Contains the workspace and, beside it, its state. */
  readonly base: string;
  /** The workspace. */
  readonly root: string;
  /** Creates a runtime for a coder, with its state in `base`. Later options win. */
  open(options?: Partial<NodeRuntimeOptions>): Promise<NodeRuntime>;
  content(name: string): string;
}

/** Call once at the top of a test file: creates and removes the folder around each test. */
export function runtimeFolder(
  files: Readonly<Record<string, string>>,
  defaults: Partial<NodeRuntimeOptions>,
): RuntimeFolder {
  let base = "";
  const root = () => join(base, "ws");
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "haft-runtime-")));
    mkdirSync(root());
    for (const [name, content] of Object.entries(files)) writeFileSync(join(root(), name), content);
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));
  return {
    get base() {
      return base;
    },
    get root() {
      return root();
    },
    content: (name) => readFileSync(join(root(), name), "utf8"),
    open: (options) =>
      createNodeRuntime({
        workspace: root(),
        stateDirectory: join(base, "state"),
        role: "coder",
        env: { PATH: process.env.PATH },
        ...defaults,
        ...options,
      }),
  };
}
