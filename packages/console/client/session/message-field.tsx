import { type Signal, useSignal } from "@preact/signals";
import { forwardRef } from "preact/compat";
import { useId, useImperativeHandle, useRef } from "preact/hooks";
import { callTool } from "../state/called-tool.js";
import { type Mention, mentionAt } from "./mention.js";
import { MentionList, type MentionOption, useMentionOptions } from "./mention-list.js";

export interface MessageFieldHandle {
  focus(): void;
  /** Starts picking a file at the caret. */
  pickFile(): void;
}

interface MessageFieldProps {
  readonly text: Signal<string>;
  readonly label: string;
  readonly placeholder: string;
  onSend(): void;
}

/** The text field of the composer. `@` picks a file, and `/` at its start picks a tool. */
export const MessageField = forwardRef<MessageFieldHandle, MessageFieldProps>(function MessageField(
  { text, label, placeholder, onSend },
  handle,
) {
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = usePicker(text, field);
  const { mention, options, at } = picker;
  const listId = useId();
  useImperativeHandle(handle, () => ({ focus: () => field.current?.focus(), pickFile: picker.pickFile }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) onSend();
    else if (!picker.handleKey(event.key)) return;
    event.preventDefault();
  };
  const isOpen = mention !== undefined && options.length > 0;
  return (
    <>
      {isOpen && (
        <MentionList id={listId} mention={mention} options={options} at={at} onChoose={picker.choose} />
      )}
      <textarea
        ref={field}
        rows={2}
        aria-label={label}
        aria-haspopup="listbox"
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${at}` : undefined}
        placeholder={placeholder}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          picker.look();
        }}
        onKeyDown={onKeyDown}
        onKeyUp={picker.look}
        onClick={picker.look}
        onBlur={picker.close}
      />
    </>
  );
});

type FieldRef = { readonly current: HTMLTextAreaElement | null };

/** Tracks the caret and replaces a mention with the chosen item. */
function usePicker(text: Signal<string>, field: FieldRef) {
  const mention = useSignal<Mention | undefined>(undefined);
  const chosen = useSignal(0);
  /** The position of a mention that the user chose not to complete. */
  const declined = useSignal(-1);
  const options = useMentionOptions(mention.value);
  const at = Math.max(0, Math.min(chosen.value, options.length - 1));
  const look = () => {
    const caret = field.current?.selectionStart ?? 0;
    const found = mentionAt(text.value, caret);
    if (found?.from !== declined.value) declined.value = -1;
    const now = declined.value === -1 ? found : undefined;
    if (now?.words !== mention.value?.words) chosen.value = 0;
    mention.value = now;
  };
  const replace = (from: number, written: string) => {
    const box = field.current;
    if (box === null) return;
    const end = from + written.length;
    text.value = `${text.value.slice(0, from)}${written}${text.value.slice(box.selectionEnd)}`;
    // The caret can be placed only in rendered text.
    box.value = text.value;
    box.focus();
    box.setSelectionRange(end, end);
    look();
  };
  const choose = ({ kind, name }: MentionOption) => {
    const from = mention.value?.from ?? 0;
    replace(from, kind === "file" ? `\`${name}\` ` : "");
    if (kind === "tool") callTool(name);
  };
  const close = () => {
    mention.value = undefined;
  };
  const keys: Readonly<Record<string, (option: MentionOption) => void>> = {
    ArrowDown: () => (chosen.value = (at + 1) % options.length),
    ArrowUp: () => (chosen.value = (at + options.length - 1) % options.length),
    Enter: choose,
    Tab: choose,
    Escape: () => {
      declined.value = mention.value?.from ?? -1;
      close();
    },
  };
  return {
    mention: mention.value,
    options,
    at,
    look,
    choose,
    close,
    /** Returns whether the list handled the key. */
    handleKey: (key: string): boolean => {
      const option = options[at];
      const act = keys[key];
      if (mention.value === undefined || option === undefined || act === undefined) return false;
      act(option);
      return true;
    },
    pickFile: () => {
      const caret = field.current?.selectionStart ?? 0;
      replace(caret, /(^|\s)$/.test(text.value.slice(0, caret)) ? "@" : " @");
    },
  };
}
