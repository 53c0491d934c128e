import { knownFiles, useFoundFiles } from "../files/found-files.js";
import { Icon } from "../parts/icon.js";
import type { IconName } from "../parts/icons.js";
import { VisibleText } from "../parts/visible-text.js";
import { tools } from "../state/tools.js";
import type { Mention } from "./mention.js";

export interface MentionOption {
  readonly kind: Mention["kind"];
  /** A path, or the name of a tool. */
  readonly name: string;
  readonly note: string;
}

/** Lists the files or tools that match the typed prefix. */
export function useMentionOptions(mention: Mention | undefined): readonly MentionOption[] {
  const words = mention?.words.toLowerCase() ?? "";
  const found = useFoundFiles(mention?.kind === "file" ? words : undefined);
  if (mention === undefined) return [];
  const fits = ({ name }: { readonly name: string }) => name.toLowerCase().includes(words);
  const all: readonly MentionOption[] =
    mention.kind === "file"
      ? [...new Set([...knownFiles(), ...found])].map((name) => ({ kind: "file", name, note: "" }))
      : (tools.value ?? []).map(({ name, summary }) => ({ kind: "tool", name, note: summary }));
  return all.filter(fits).slice(0, MOST);
}

const MOST = 8;
const ICONS: Readonly<Record<Mention["kind"], IconName>> = { file: "file", tool: "tools" };

interface MentionListProps {
  readonly id: string;
  readonly mention: Mention;
  readonly options: readonly MentionOption[];
  readonly at: number;
  onChoose(option: MentionOption): void;
}

/** Floats above the composer. The text field keeps the focus. */
export function MentionList({ id, mention, options, at, onChoose }: MentionListProps) {
  const label = mention.kind === "file" ? "Files" : "Tools";
  return (
    <div id={id} class="mentions" role="listbox" aria-label={label} tabIndex={-1}>
      {options.map((option, index) => (
        <div
          key={option.name}
          id={`${id}-${index}`}
          class="palette-row"
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          // A press must not take the focus from the text field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <Icon name={ICONS[option.kind]} />
          <code>
            <VisibleText text={option.name} />
          </code>
          <span class="grow cut faint">{option.note}</span>
        </div>
      ))}
    </div>
  );
}
