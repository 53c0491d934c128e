import { DiffTable } from "../parts/diff-table.js";
import { VisibleText } from "../parts/visible-text.js";
import type { CallView } from "../state/call-view.js";

/** Shows the effect of a waiting call: its diffs, or all of its arguments. */
export function WaitingBody({ call: { approval, args } }: { readonly call: CallView }) {
  const changes = approval?.changes ?? [];
  if (changes.length === 0) return <WhatWouldRun args={args} />;
  return (
    <div class="card-diffs">
      {changes.map((change, index) => (
        <div key={`${index} ${change.path}`}>
          {changes.length > 1 && (
            <p class="card-note">
              <VisibleText text={change.path} />
            </p>
          )}
          <DiffTable diff={change.diff ?? ""} path={change.path} />
        </div>
      ))}
    </div>
  );
}

type Args = Readonly<Record<string, unknown>>;

/** Shows the command, code or address as text, then all other arguments. */
export function WhatWouldRun({ args, look = "term" }: { readonly args: Args; readonly look?: string }) {
  const main = MAIN.find((name) => typeof args[name] === "string");
  const rest = Object.entries(args).filter(([name]) => name !== main);
  return (
    <>
      {main !== undefined && (
        <pre class={look} tabIndex={0} aria-label="What would run">
          <VisibleText text={String(args[main])} />
        </pre>
      )}
      {rest.length > 0 && (
        <dl class="kv other-args">
          {rest.map(([name, value]) => (
            <>
              <dt key={name}>
                <VisibleText text={name} />
              </dt>
              <dd>
                <code>
                  <VisibleText text={typeof value === "string" ? value : JSON.stringify(value)} />
                </code>
              </dd>
            </>
          ))}
        </dl>
      )}
    </>
  );
}

const MAIN = ["command", "code", "url"];
