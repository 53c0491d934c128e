import { areKeysShown } from "../state/keys-shown.js";
import { areLettersOn, switchLetters } from "../state/single-letters.js";
import { KeyHint } from "./key-hint.js";
import { useModal } from "./use-modal.js";

const KEYS = [
  ["Mod K", "Go to a file, run, screen or command"],
  ["C", "New run"],
  ["/", "Call a tool; as the first character of a message, too"],
  ["@", "In a message: add a file"],
  ["J, K, V", "Review the next, the previous or the waiting call"],
  ["Y", "Allow once"],
  ["R", "Allow and remember the rule shown"],
  ["N, Shift N", "Deny, deny and stop the run"],
  ["F, E", "Feedback, arguments"],
  ["Mod Enter", "Send; in a dialog, allow once"],
  ["Shift Esc", "Stop the run"],
  ["Esc", "Later; decides nothing"],
  ["[, ]", "Side panel, inspector"],
  ["Mod S, Alt D", "Save, compare"],
  ["?", "These keys"],
] as const;

export function KeysDialog() {
  return areKeysShown.value ? <OpenKeys /> : null;
}

function OpenKeys() {
  const dialog = useModal();
  const close = () => {
    areKeysShown.value = false;
  };
  return (
    <dialog ref={dialog} class="dialog keys-dialog" aria-label="Keys" onClose={close} onCancel={close}>
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(", ").map((each) => (
                <KeyHint key={each} keys={each} />
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="row">
        <input
          type="checkbox"
          class="box"
          checked={areLettersOn.value}
          onChange={({ currentTarget }) => switchLetters(currentTarget.checked)}
        />
        Single letters and signs act while no text field has the focus
      </label>
      <button type="button" class="btn" onClick={close}>
        Close <kbd>Esc</kbd>
      </button>
    </dialog>
  );
}
