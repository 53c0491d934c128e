import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bytesIfReadable, namesIfReadable } from "../fs/if-readable.js";
import { makeFolder } from "../journal/make-folder.js";
import { stateError } from "../journal/state-error.js";
import { BOX_USER } from "./box-environment.js";
import type { HostToolchains } from "./host-toolchains.js";

export interface BoxSettings {
  readonly mounts: readonly string[];
  /** Mounted over files whose content is hidden. */
  readonly emptyFile: string;
}

/**
 * Creates the folder that boxes see as /etc: localhost, one user, and the files that toolchains read. The host's users,
 * machines and other settings stay outside. Throws a ToolError with advice.
 */
export function boxSettings(stateDirectory: string, toolchains: Pick<HostToolchains, "home">): BoxSettings {
  const folder = join(stateDirectory, "box-etc");
  try {
    return settingsIn(folder, toolchains);
  } catch (cause) {
    throw stateError(cause, `The settings of the sandbox cannot be written to ${folder}`);
  }
}

function settingsIn(folder: string, { home }: Pick<HostToolchains, "home">): BoxSettings {
  makeFolder(folder);
  const own = { ...OWN_FILES, ...accounts(home) };
  for (const [name, content] of Object.entries(own)) put(folder, name, content);
  for (const name of COPIED) put(folder, name, bytesIfReadable(`/etc/${name}`));
  const java = namesIfReadable("/etc").filter((name) => JAVA.test(name));
  const mounted = [...MOUNTED, ...java].filter((name) => existsSync(`/etc/${name}`));
  for (const name of mounted) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const mounts = [
    ...["--ro-bind", folder, "/etc"],
    ...mounted.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
  ];
  return { mounts, emptyFile: join(folder, EMPTY) };
}

const EMPTY = "empty";

const OWN_FILES = {
  [EMPTY]: "",
  hosts: "127.0.0.1 localhost\n::1 localhost\n",
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
} as const;

/**
 * Returns the user that programs find for their own id, and the one that the kernel shows for all other ids. The name is the box's, not the host's.
 */
function accounts(home: string): Readonly<Record<"passwd" | "group", string>> {
  const [uid = 0, gid = 0] = [process.geteuid?.(), process.getegid?.()];
  // A colon or a line break would start another field.
  const place = /[:\n]/.test(home) ? "/tmp" : home;
  return {
    passwd: `${BOX_USER}:x:${uid}:${gid}::${place}:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`,
    group: `${BOX_USER}:x:${gid}:\nnogroup:x:65534:\n`,
  };
}

/** Copied, because each mount costs time. Maven's settings.xml may contain passwords and is left out. */
const COPIED = [
  ...["ld.so.cache", "ld.so.conf", "localtime"],
  ...["maven/m2.conf", "maven/logging/simplelogger.properties"],
];

/** Folders: the links of Debian's alternatives, and certificates. */
const MOUNTED = ["alternatives", "ssl/certs", "pki/tls/certs", "ca-certificates"];
const JAVA = /^java-\d+-openjdk$/;

/** Replaces a file only if it differs, in one step: other processes use the same folder. */
function put(folder: string, name: string, content: string | Buffer | undefined): void {
  const file = join(folder, name);
  const bytes = content === undefined ? undefined : Buffer.from(content);
  if (bytes === undefined || bytesIfReadable(file)?.equals(bytes)) return;
  const fresh = join(folder, `.${randomUUID()}`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(fresh, bytes, { mode: 0o600, flag: "wx" });
  renameSync(fresh, file);
}
