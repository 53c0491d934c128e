import type { ChangeSummary } from "@haft/core";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { post } from "../state/api.js";
import { isSharedCall } from "../state/team.js";
import { fileChanges } from "../state/workspace.js";
import type { Draft } from "./draft.js";

/** By path. Null if the path was deleted; omitted if it has no hash. */
type Hashes = ReadonlyMap<string, string | null>;

/** Shows whether the affected files have changed since the call read them. Updates while the dialog is open. */
export function OnDisk({ draft }: { readonly draft: Draft }) {
  const hashes = useSignal<Hashes | undefined>(undefined);
  const { id, workspace } = draft.item;
  const changes = draft.changes.value;
  const paths = changes.map(({ path, from }) => from ?? path);
  const isElsewhere = isSharedCall(id);
  useEffect(() => {
    if (isElsewhere || paths.length === 0) return;
    post<Readonly<Record<string, string | null>>>(`/api/${workspace}/hashes`, { paths }).then(
      (found) => (hashes.value = new Map(Object.entries(found))),
      () => undefined,
    );
  }, [paths.join("\n"), fileChanges.value]);
  if (isElsewhere || changes.length === 0) return <Fact title="Role" words={draft.item.request.role} />;
  const title = changes.length === 1 ? "File on disk" : "Files on disk";
  if (hashes.value === undefined) return <Fact title={title} words="…" />;
  const now = hashes.value;
  if (changes.some((change) => isChanged(change, now)))
    return <Fact title={title} words="Changed since it was read" icon="waiting" />;
  if (changes.some((change) => isUnknown(change, now)))
    return <Fact title={title} words="Compared when it is written" />;
  const isNew = changes.every(({ kind }) => kind === "create");
  return <Fact title={title} words={isNew ? "New" : "As last read"} icon="check" />;
}

function isChanged({ kind, path, from, beforeHash }: ChangeSummary, now: Hashes): boolean {
  const hash = now.get(from ?? path);
  if (kind === "create") return typeof hash === "string";
  return beforeHash !== undefined && hash !== undefined && hash !== beforeHash;
}

/** Folders and large files have no hash to compare; the kernel checks them before it writes. */
function isUnknown({ kind, path, from, beforeHash }: ChangeSummary, now: Hashes): boolean {
  return kind !== "create" && (beforeHash === undefined || now.get(from ?? path) === undefined);
}

interface FactProps {
  readonly title: string;
  readonly words: string;
  readonly icon?: "check" | "waiting";
}

function Fact({ title, words, icon }: FactProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd class={icon === "waiting" ? "is-waiting" : ""}>
        {icon !== undefined && <Icon name={icon} class="i-s" />}
        {words}
      </dd>
    </div>
  );
}
