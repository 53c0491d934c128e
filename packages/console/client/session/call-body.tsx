import { DiffTable } from "../parts/diff-table.js";
import { Link } from "../parts/link.js";
import { TerminalText } from "../parts/terminal-text.js";
import { shownText, VisibleText } from "../parts/visible-text.js";
import { pathOf } from "../state/api.js";
import type { CallView } from "../state/call-view.js";
import { categoryOf } from "../state/tools.js";
import { SearchResults } from "./search-results.js";

/** Renders the output or result of a call by its kind. */
export function CallBody({ call }: { readonly call: CallView }) {
  const { look, effects, content, output } = call;
  if (content === undefined) return <LiveOutput call={call} />;
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const isCommand = typeof (call.args.command ?? call.args.code) === "string";
  const isSearch = look === "ok" && categoryOf(call.tool) === "search";
  return (
    <>
      {effects.map((effect) => (
        <div key={effect.path}>
          {effects.length > 1 && (
            <p class="card-note">
              <VisibleText text={effect.path} />
            </p>
          )}
          <DiffTable diff={effect.diff ?? ""} path={effect.path} />
        </div>
      ))}
      {content.map((part, index) => (part.type === "image" ? <ResultImage key={index} call={call} /> : null))}
      {isSearch && <SearchResults text={text} />}
      {!isSearch && (effects.length === 0 || isCommand) && (
        <Output text={output === "" ? text : output} call={call} command={call.args.command} />
      )}
      {/* Repeats what was printed; only a command that did not run to its end says more there. */}
      {look !== "ok" && effects.length === 0 && output !== "" && call.exitCode === undefined && (
        <Output text={text} call={call} />
      )}
    </>
  );
}

function LiveOutput({ call }: { readonly call: CallView }) {
  const { output, args } = call;
  const code = typeof args.code === "string" ? args.code : "";
  if (output === "" && code === "" && typeof args.command !== "string")
    return <p class="card-note">Waiting for its turn.</p>;
  return <Output text={output === "" ? code : output} call={call} command={args.command} />;
}

interface OutputProps {
  readonly text: string;
  readonly call: CallView;
  /** Shown above the output, because the head of a card may be too narrow for it. */
  readonly command?: unknown;
}

function Output({ text, call, command }: OutputProps) {
  if (text === "" && typeof command !== "string") return <p class="card-note">No output.</p>;
  // Errors are sentences; output keeps its columns.
  const isSentence = call.look === "failed" && call.exitCode === undefined && text !== call.output;
  return (
    <pre
      class={`term ${isSentence ? "wraps" : ""}`}
      tabIndex={0}
      aria-label={`Output of ${shownText(call.tool)}`}
    >
      {typeof command === "string" && (
        <span class="prompt">
          <VisibleText text={command} />
          {"\n"}
        </span>
      )}
      <span class="printed">
        <TerminalText text={text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n…` : text} />
      </span>
    </pre>
  );
}

const MAX_CHARS = 60_000;

/** Images are loaded from the workspace in their current state, so that the page does not hold the result's bytes. */
function ResultImage({ call }: { readonly call: CallView }) {
  const path = call.args.path;
  if (typeof path !== "string") return <p class="card-note">An image.</p>;
  return (
    <Link class="card-image" screen="files" item={path} label={`Open ${shownText(path)}`}>
      <img src={`${pathOf("image")}?path=${encodeURIComponent(path)}`} alt={shownText(path)} loading="lazy" />
    </Link>
  );
}
