import { useSignal } from "@preact/signals";
import { Icon } from "../parts/icon.js";
import { VisibleText } from "../parts/visible-text.js";
import { isSharedCall } from "../state/team.js";
import { schemaOf } from "../state/tools.js";
import type { Draft } from "./draft.js";
import { SchemaForm } from "./schema-form.js";

/** Shows the arguments as a form and as JSON; both edit the same draft. */
export function ArgumentsPane({ draft }: { readonly draft: Draft }) {
  const isJson = useSignal(false);
  const schema = schemaOf(draft.item.request.tool);
  if (isSharedCall(draft.item.id)) return <FixedArguments draft={draft} />;
  return (
    <section aria-label="Arguments">
      <div class="sec-head">
        <h3>Arguments</h3>
        <span class="grow" />
        {draft.isEdited.value && (
          <button type="button" class="btn quiet sm" onClick={() => draft.reset()}>
            <Icon name="undo" class="i-s" />
            Reset
          </button>
        )}
        <div class="seg" role="group" aria-label="Edit as">
          <button type="button" aria-pressed={!isJson.value} onClick={() => (isJson.value = false)}>
            Form
          </button>
          <button type="button" aria-pressed={isJson.value} onClick={() => (isJson.value = true)}>
            JSON
          </button>
        </div>
      </div>
      {isJson.value ? (
        <div class="field">
          <label htmlFor="args-json" class="sr">
            Arguments as JSON
          </label>
          <textarea
            id="args-json"
            class={`input code ${draft.isEdited.value ? "is-edited" : ""}`}
            rows={Math.min(16, draft.json.value.split("\n").length + 1)}
            value={draft.json.value}
            spellcheck={false}
            onInput={({ currentTarget }) => draft.setJson(currentTarget.value)}
          />
          {draft.jsonProblem.value !== undefined && (
            <p class="problem" role="alert">
              {draft.jsonProblem.value}
            </p>
          )}
        </div>
      ) : (
        <SchemaForm
          schema={schema ?? {}}
          value={draft.args.value}
          edited={draft.edited.value}
          onChange={(args) => draft.setArgs(args)}
        />
      )}
    </section>
  );
}

/** Only the worker with the files can rehearse an edit. */
function FixedArguments({ draft }: { readonly draft: Draft }) {
  return (
    <section aria-label="Arguments">
      <div class="sec-head">
        <h3>Arguments</h3>
      </div>
      <pre class="well">
        <VisibleText text={draft.json.value} />
      </pre>
      <p class="faint">
        This call runs on another machine and cannot be edited here. To ask for something else, deny it and
        say what.
      </p>
    </section>
  );
}
