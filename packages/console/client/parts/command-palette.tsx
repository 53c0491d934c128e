import { signal } from "@preact/signals";
import { knownFiles, useFoundFiles } from "../files/found-files.js";
import { callTool } from "../state/called-tool.js";
import { showKeys } from "../state/keys-shown.js";
import { allPages } from "../state/pages.js";
import { review } from "../state/review.js";
import { go } from "../state/route.js";
import { switchTheme } from "../state/theme.js";
import { tools } from "../state/tools.js";
import { approvals, runs } from "../state/workspace.js";
import { Icon } from "./icon.js";
import type { IconName } from "./icons.js";
import { useModal } from "./use-modal.js";
import { VisibleText } from "./visible-text.js";

const isOpen = signal(false);
const sought = signal("");
const chosen = signal(0);

export function openPalette(): void {
  sought.value = "";
  chosen.value = 0;
  isOpen.value = true;
}

interface Command {
  readonly name: string;
  readonly kind: string;
  readonly icon: IconName;
  run(): void;
}

export function CommandPalette() {
  return isOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const dialog = useModal();
  const words = sought.value.trim();
  const found = matching(sought.value, useFoundFiles(words.length < 2 ? undefined : words));
  const at = Math.min(chosen.value, found.length - 1);
  const close = () => {
    isOpen.value = false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") chosen.value = Math.min(found.length - 1, at + 1);
    else if (event.key === "ArrowUp") chosen.value = Math.max(0, at - 1);
    else if (event.key === "Enter") {
      close();
      found[at]?.run();
    } else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette-dialog"
      aria-label="Go to"
      onCancel={close}
      onClose={close}
      onKeyDown={onKeyDown}
    >
      <div class="search palette-search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
          aria-label="Go to file, run or command"
          placeholder="Go to file, run or command"
          value={sought.value}
          onInput={({ currentTarget }) => {
            sought.value = currentTarget.value;
            chosen.value = 0;
          }}
        />
      </div>
      <div id="palette-list" class="palette-list" role="listbox" aria-label="Results" tabIndex={-1}>
        {found.map((command, index) => (
          <div
            key={`${command.kind} ${command.name}`}
            id={`palette-${index}`}
            class="palette-row"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => {
              close();
              command.run();
            }}
          >
            <Icon name={command.icon} />
            <span class="grow cut">
              <VisibleText text={command.name} />
            </span>
            <span class="faint">{command.kind}</span>
          </div>
        ))}
        {found.length === 0 && <p class="empty">Nothing matches.</p>}
      </div>
    </dialog>
  );
}

function matching(text: string, files: readonly string[]): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return allCommands(files)
    .filter(({ name, kind }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)))
    .slice(0, 40);
}

function allCommands(files: readonly string[]): readonly Command[] {
  const paths = new Set([...files, ...knownFiles()]);
  return [
    ...(approvals.value ?? []).map(({ id, request }) => ({
      name: `Review ${request.tool} ${request.changes[0]?.path ?? ""}`,
      kind: "waiting",
      icon: "waiting" as const,
      run: () => review(id),
    })),
    { name: "New run", kind: "command", icon: "plus", run: () => go({ screen: "run" }) },
    { name: "Call a tool", kind: "command", icon: "tools", run: () => callTool() },
    ...allPages()
      .filter(({ screen }) => screen !== "run")
      .map(({ name, screen, icon }) => ({ name, kind: "screen", icon, run: () => go({ screen }) })),
    { name: "Keys", kind: "command", icon: "dots", run: showKeys },
    { name: "Switch between light and dark", kind: "command", icon: "theme", run: switchTheme },
    ...(runs.value ?? []).slice(0, 50).map(({ runId, task }) => ({
      name: task.split("\n")[0] ?? runId,
      kind: "run",
      icon: "runs" as const,
      run: () => go({ screen: "run", item: runId }),
    })),
    ...[...paths].map((path) => ({
      name: path,
      kind: "file",
      icon: "file" as const,
      run: () => go({ screen: "files", item: path }),
    })),
    ...(tools.value ?? []).map(({ name }) => ({
      name,
      kind: "tool",
      icon: "tools" as const,
      run: () => go({ screen: "tools", item: name }),
    })),
  ];
}
