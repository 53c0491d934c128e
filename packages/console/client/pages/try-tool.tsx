import type { ToolDescription, ToolResult } from "@haft/core";
import { useSignal } from "@preact/signals";
import { SchemaForm } from "../approvals/schema-form.js";
import { ChangeDiff } from "../parts/diff-view.js";
import { duration } from "../parts/duration.js";
import { Problem } from "../parts/problem.js";
import { StatusGlyph } from "../parts/status.js";
import { TerminalText } from "../parts/terminal-text.js";
import { withoutFolders } from "../parts/without-folders.js";
import { post, wordsOf } from "../state/api.js";
import { review } from "../state/review.js";
import { approvals } from "../state/workspace.js";

type Args = Readonly<Record<string, unknown>>;

interface TryToolProps {
  readonly tool: ToolDescription;
  /** Called when the user wants to use a result. */
  onUse?(result: ToolResult, args: Args): void;
}

/** Shows a form that calls a tool. The call is subject to the same policy as a model's. */
export function TryTool({ tool, onUse }: TryToolProps) {
  const args = useSignal<Args>(tool.examples[0]?.args ?? {});
  const result = useSignal<ToolResult | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const run = async (dryRun: boolean) => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      result.value = await post<ToolResult>("try", { tool: tool.name, args: args.value, dryRun });
    } catch (thrown) {
      problem.value = wordsOf(thrown);
    } finally {
      isBusy.value = false;
    }
  };
  const done = isBusy.value ? undefined : result.value;
  return (
    <>
      <SchemaForm
        schema={tool.input}
        value={args.value}
        idPrefix="try"
        onChange={(next) => (args.value = next)}
      />
      <div class="row">
        <button type="button" class="btn primary" disabled={isBusy.value} onClick={() => void run(false)}>
          {isBusy.value ? "Running" : "Run"}
        </button>
        <button type="button" class="btn" disabled={isBusy.value} onClick={() => void run(true)}>
          Rehearse
        </button>
        {isBusy.value && <Waiting tool={tool.name} />}
        <span class="grow" />
        {done !== undefined && onUse !== undefined && (
          <button type="button" class="btn" onClick={() => onUse(done, args.value)}>
            Add to message
          </button>
        )}
      </div>
      <Problem text={problem.value} />
      {done !== undefined && <Result result={done} />}
    </>
  );
}

/** Shows that a call waits for approval, with a link to the request. */
function Waiting({ tool }: { readonly tool: string }) {
  const asked = approvals.value?.find(
    ({ request, runId }) =>
      runId === undefined && request.callId.startsWith("console-") && request.tool === tool,
  );
  if (asked === undefined) return null;
  return (
    <>
      <StatusGlyph look="waiting" />
      <span>Waits for you</span>
      <button type="button" class="btn" onClick={() => review(asked.id)}>
        Review
      </button>
    </>
  );
}

/** The exit code of a finished command; 0 for any other result. */
function exitCodeOf(result: ToolResult): number {
  const value = result.ok ? (result.value as { readonly exitCode?: unknown } | null) : null;
  return typeof value?.exitCode === "number" ? value.exitCode : 0;
}

function wordsFor(result: ToolResult): string {
  if (!result.ok) return result.error.code;
  const exitCode = exitCodeOf(result);
  if (exitCode !== 0) return `Exit code ${exitCode}`;
  return result.preview ? "Rehearsed, nothing changed" : "Done";
}

function Result({ result }: { readonly result: ToolResult }) {
  return (
    <div class="result" role="status">
      <p class="row">
        <StatusGlyph look={result.ok && exitCodeOf(result) === 0 ? "ok" : "failed"} />
        {wordsFor(result)}
        <span class="faint">{duration(result.durationMs)}</span>
      </p>
      {result.ok &&
        withoutFolders(result.changes).map((change) => <ChangeDiff key={change.path} change={change} />)}
      <pre class="term" tabIndex={0} aria-label="Result">
        <TerminalText text={result.text} />
      </pre>
    </div>
  );
}
