const IS_MAC = navigator.platform.startsWith("Mac");

/** Names of the modifiers as they are printed on this machine's keyboard. */
const NAMES = IS_MAC
  ? { Mod: "⌘", Alt: "⌥", Shift: "⇧", Enter: "↵" }
  : { Mod: "Ctrl ", Alt: "Alt ", Shift: "⇧", Enter: "↵" };

/** The words of a key combination such as "Mod S". */
function keyWords(keys: string): string {
  return keys.replace(/\b(Mod|Alt|Shift|Enter)\b ?/g, (_, name: keyof typeof NAMES) => NAMES[name]);
}

/** A key combination beside the control that it presses. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return <kbd>{keyWords(keys)}</kbd>;
}
