import { chmodSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxNetwork } from "@haft/core/capabilities";
import { isAlive } from "../journal/process-identity.js";
import { type GuardedDial, openBoxProxy } from "../network/box-proxy.js";
import { boxedSettings, type NpmRegistry } from "../network/npm-registries.js";

/** Services of the host for a box with network access. */
export interface NetworkReach {
  /** Returns a dial function for the listed hosts and these. */
  dialFor(approvedHosts: readonly string[]): GuardedDial;
  registries(): readonly NpmRegistry[];
}

/** Connects a box to the proxy. */
export interface BoxNetwork {
  /** Arguments for the launcher. */
  readonly mounts: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Command prefix: forwards loopback connections to the proxy. */
  readonly bridge: readonly string[];
  warnings(): readonly string[];
  close(): Promise<void>;
}

/** Opens the network of a box: one proxy on its loopback, and nothing else. */
export async function openBoxNetwork(
  grant: SandboxNetwork | undefined,
  reach: NetworkReach | undefined,
): Promise<BoxNetwork | undefined> {
  if (grant === undefined || reach === undefined) return undefined;
  // Socket paths must be short, and only this user may access the folder.
  const parent = realpathSync(tmpdir());
  for (const name of readdirSync(parent)) if (isAbandoned(parent, name)) removeFolder(join(parent, name));
  const folder = mkdtempSync(join(parent, `${FOLDER_NAME}${process.pid}-`));
  chmodSync(folder, 0o700);
  const registries = grant.registry ? reach.registries() : [];
  writeFileSync(join(folder, "npmrc"), boxedSettings(registries, PROXY));
  writeFileSync(join(folder, "bridge.cjs"), BRIDGE);
  const proxy = await openBoxProxy({
    path: join(folder, "proxy.sock"),
    dial: reach.dialFor(grant.hosts),
    admit: grant.admit,
    registries,
  });
  return {
    mounts: [...["--ro-bind", folder, FOLDER], ...["--ro-bind", process.execPath, NODE]],
    env: { ...PROXY_VARIABLES, ...(grant.registry && { npm_config_userconfig: `${FOLDER}/npmrc` }) },
    bridge: [NODE, `${FOLDER}/bridge.cjs`],
    warnings: () => proxy.refusals.map((why) => `network: ${why}`),
    close: async () => {
      await proxy.close();
      removeFolder(folder);
    },
  };
}

const FOLDER_NAME = "haft-net-";

/**
 * Returns whether a folder belonged to a host that was killed. A recent one may belong to a host in another
 * container.
 */
function isAbandoned(parent: string, name: string): boolean {
  const pid = /^haft-net-(\d+)-/.exec(name)?.[1];
  if (pid === undefined || isAlive({ pid: Number(pid), startTime: "" })) return false;
  const stats = lstatSync(join(parent, name), { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > LONGEST_RUN_MS;
}

const LONGEST_RUN_MS = 15 * 60 * 1000;

/** Ignores folders of other users. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Its owner removes it.
  }
}

/** A port in the box, where nothing else listens. */
const PORT = 3128;
const PROXY = `http://127.0.0.1:${PORT}`;
const FOLDER = "/run/haft";
const NODE = "/run/haft-node";

const PROXY_VARIABLES = {
  ...{ HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, http_proxy: PROXY, https_proxy: PROXY },
  ...{ NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost" },
  ...{ npm_config_proxy: PROXY, npm_config_https_proxy: PROXY, npm_config_noproxy: "127.0.0.1,localhost" },
};

/** Listens, then runs the command with its own descriptors and exits with its status. */
const BRIDGE = `
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const server = createServer((client) => {
  const proxy = connect("${FOLDER}/proxy.sock");
  for (const [from, to] of [[client, proxy], [proxy, client]]) from.on("error", () => to.destroy()).pipe(to);
});
server.listen(${PORT}, "127.0.0.1", () => {
  const [, , program, ...args] = process.argv;
  const stdio = ["inherit", "inherit", "inherit", "ignore", "ignore", "ignore", "ignore", 7];
  const child = spawn(program, args, { stdio });
  child.on("error", () => process.exit(127));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
`;
