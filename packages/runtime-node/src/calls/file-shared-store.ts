import { createHash } from "node:crypto";
import { join } from "node:path";
import { ToolError } from "@haft/core";
import type { Member, MemberStore, SharedStore } from "@haft/core/calls";
import { FileApprovalStore } from "../approval/file-approval-store.js";
import { FileGrantStore } from "../approval/file-grant-store.js";
import { removePrivateFile, writePrivateFile } from "../approval/private-file.js";
import { FileAuditStore } from "../audit/file-audit-store.js";
import { namesInState, readStateFile } from "../journal/state-file.js";
import { FileCallStore } from "./file-call-store.js";

export interface FileSharedStoreOptions {
  /** Must be on a local disk: network file systems do not append atomically. */
  readonly directory: string;
  /**
   * Returns the run journal of a tenant, such as `FileRunJournalStore` of `@haft/agent/node`. Default: runs are not
   * stored.
   */
  runs?(tenant: string): ReturnType<SharedStore["runs"]>;
  /** The size at which the log of calls restarts from a snapshot. Default: 16 MB. */
  readonly maxBytes?: number;
}

/** Creates a shared store in a folder, for the processes of one machine. */
export function fileSharedStore({ directory, runs, maxBytes }: FileSharedStoreOptions): SharedStore {
  const calls = new FileCallStore({
    directory: join(directory, "calls"),
    ...(maxBytes !== undefined && { maxBytes }),
  });
  const audits = new Map<string, FileAuditStore>();
  const folderOf = (kind: string, ...key: readonly string[]) => join(directory, kind, keyOf(key));
  return {
    calls: calls.calls,
    members: fileMemberStore(join(directory, "members")),
    approvals: (tenant) => new FileApprovalStore(folderOf("approvals", tenant)),
    grants: ({ tenant, workspace }) => new FileGrantStore(folderOf("grants", tenant, workspace)),
    audit: (tenant) => {
      const anchor = `${folderOf("audit-anchors", tenant)}.json`;
      const store = audits.get(tenant) ?? new FileAuditStore(folderOf("audit", tenant), { anchor });
      audits.set(tenant, store);
      return store;
    },
    runs: (tenant) => {
      if (runs !== undefined) return runs(tenant);
      throw new ToolError("CONFIG_INVALID", "This store does not store runs", {
        hint: "Pass `runs`, such as a FileRunJournalStore of @haft/agent/node.",
      });
    },
    close: () => calls.close(),
  };
}

function fileMemberStore(directory: string): MemberStore {
  const fileOf = ({ tenant, id }: Pick<Member, "tenant" | "id">) =>
    join(directory, keyOf([tenant]), `${keyOf([id])}.json`);
  return {
    put: (member) => writePrivateFile(fileOf(member), JSON.stringify(member)),
    list: async (tenant) => membersIn(join(directory, keyOf([tenant]))),
    remove: (member) => removePrivateFile(fileOf(member)),
  };
}

function membersIn(folder: string): readonly Member[] {
  return namesInState(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readStateFile(join(folder, name)) ?? [])
    .map((bytes) => JSON.parse(bytes.toString("utf8")) as Member)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Encodes names from outside as a folder name. */
function keyOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
