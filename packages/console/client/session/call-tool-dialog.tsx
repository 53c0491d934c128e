import type { ToolResult } from "@haft/core";
import { TryTool } from "../pages/try-tool.js";
import { Icon } from "../parts/icon.js";
import { useModal } from "../parts/use-modal.js";
import { calledTool } from "../state/called-tool.js";
import { messageDraft } from "../state/message-drafts.js";
import { route } from "../state/route.js";
import { tools } from "../state/tools.js";

/** Calls any tool from a form, without a model. */
export function CallToolDialog() {
  return calledTool.value === undefined ? null : <OpenDialog />;
}

function OpenDialog() {
  const dialog = useModal();
  const all = tools.value ?? [];
  const tool = all.find(({ name }) => name === calledTool.value) ?? all[0];
  const close = () => {
    calledTool.value = undefined;
  };
  const use = (result: ToolResult, args: object) => {
    const draft = messageDraft();
    const before = draft.value.trim();
    draft.value = `${before}${before === "" ? "" : "\n\n"}${messageOf(tool?.name ?? "", args, result)}`;
    close();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog tool-dialog"
      aria-labelledby="tool-dialog-title"
      onCancel={close}
      onClose={close}
    >
      <div class="dlg-head">
        <span class="glyph plain">
          <Icon name="tools" />
        </span>
        <h2 id="tool-dialog-title" class="grow">
          Call a tool
        </h2>
        <button type="button" class="btn quiet" onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
      <div class="scroll tool-dialog-body" tabIndex={-1}>
        <div class="field">
          <label htmlFor="called-tool">Tool</label>
          <select
            id="called-tool"
            class="input code"
            value={tool?.name}
            onChange={({ currentTarget }) => (calledTool.value = currentTarget.value)}
          >
            {all.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
        <p class="faint">{tool?.summary}</p>
        {tool !== undefined && (
          <TryTool key={tool.name} tool={tool} {...(route.value.screen === "run" && { onUse: use })} />
        )}
      </div>
    </dialog>
  );
}

/** Returns the call and its result as the model reads them. */
function messageOf(tool: string, args: object, { text }: ToolResult): string {
  const shown = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n…` : text;
  return `I called ${tool} ${JSON.stringify(args)}:\n\n\`\`\`\n${shown}\n\`\`\`\n`;
}

const MAX_CHARS = 8_000;
