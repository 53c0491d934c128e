import { DEFAULT_PORTS } from "../network/web-url-policy.js";
import { sandboxLimits } from "../sandbox/sandbox-limits.js";
import { narrowRole, narrowRules } from "./narrow-role.js";
import { atMost, type Narrowing, narrows, onlyEntries, onlyValues, widens } from "./narrowing.js";

const SANDBOX = sandboxLimits();

/**
 * Defines the effect of each configuration key while the file found in a workspace is untrusted. A section is listed
 * either as a whole or key by key. An unlisted key is ignored.
 */
export const UNTRUSTED_KEYS: Readonly<Record<string, Narrowing>> = {
  $schema: narrows,
  role: narrowRole,
  // Importing a package runs it. First-party packs come with the program, so naming fewer of them removes tools.
  packs: onlyEntries((name: string) => name.startsWith("@haft/")),
  containPacks: narrows,
  readBeforeWrite: onlyValues("enforce"),
  "commands.allow": widens,
  // Intersects with the default list: `narrowConfig` passes it on as `commands.within`.
  "commands.allowOnly": narrows,
  "commands.env": widens,
  "commands.onUnlisted": onlyValues("deny"),
  "web.origins": widens,
  "web.hosts": widens,
  "web.ports": onlyEntries((port: number) => DEFAULT_PORTS.includes(port)),
  "web.onUnlisted": onlyValues("ask", "deny"),
  // Sends the value of an environment variable to an address.
  "web.search": widens,
  // "portable" confines less than "auto" may; "unconfined" confines nothing.
  "sandbox.tier": onlyValues("auto", "bubblewrap"),
  "sandbox.memoryMb": atMost(SANDBOX.memoryMb),
  "sandbox.processes": atMost(SANDBOX.processes),
  "sandbox.cpuSeconds": atMost(SANDBOX.cpuSeconds),
  "sandbox.fileSizeMb": atMost(SANDBOX.fileSizeMb),
  "sandbox.outputBytes": atMost(SANDBOX.outputBytes),
  "sandbox.boxes": atMost(SANDBOX.boxes),
  "limits.grepFileBytes": atMost(1024 * 1024),
  "limits.grepFileMs": atMost(5_000),
  "limits.callMs": atMost(30_000),
  "limits.maxDepth": atMost(20),
  "limits.readBytes": atMost(50 * 1024),
  "paths.sensitive": narrows,
  "paths.protected": narrows,
  // The effect of a pack's section is unknown here.
  packConfig: widens,
  "approvals.timeoutMs": atMost(5 * 60 * 1000),
  rules: narrowRules,
  roles: narrows,
  "tools.disabled": narrows,
  // Starts programs, and connects to addresses with headers from the environment.
  mcpServers: widens,
  // These decide who receives the conversation and the key, and how much may be spent.
  model: widens,
  baseUrl: widens,
  effort: widens,
  contextTokens: widens,
  prices: widens,
  run: widens,
  // A known secret is hidden from the person who approves a call, so a file could hide the effect of a call.
  knownSecrets: widens,
  // A shape could do the same: its placeholder replaces output.
  secretShapes: widens,
};
