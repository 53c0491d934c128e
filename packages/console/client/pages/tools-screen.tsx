import type { ToolDescription } from "@haft/core";
import { categoryHeading, KNOWN_CATEGORIES } from "@haft/core/kernel";
import { useEffect, useRef } from "preact/hooks";
import { JsonWell } from "../parts/json-well.js";
import { Link } from "../parts/link.js";
import { ListSkeleton } from "../parts/list-skeleton.js";
import { prettyJson } from "../parts/pretty-json.js";
import { route } from "../state/route.js";
import { tools } from "../state/tools.js";
import { TryTool } from "./try-tool.js";

const APPROVALS = {
  auto: "runs without asking",
  confirm: "asks first",
  depends: "depends on the call",
} as const;

/** Lists the tools by category; each has its schema and a form to try it. */
export function ToolsScreen() {
  const all = tools.value;
  const current = all?.find(({ name }) => name === route.value.item) ?? all?.[0];
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // The list may be longer than its part of the screen.
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current?.name]);
  const found = [...new Set((all ?? []).map(({ category }) => category))];
  const categories = found.sort((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b));
  return (
    <div class={`two-pane ${route.value.item === undefined ? "at-list" : "at-item"}`}>
      <nav class="scroll pane-list" aria-label="Tools" ref={list}>
        {all === undefined && <ListSkeleton />}
        {categories.map((category) => (
          <div key={category}>
            <h2 class="day">{categoryHeading(category).title}</h2>
            {all
              ?.filter((tool) => tool.category === category)
              .map(({ name, approval }) => (
                <Link key={name} class="pane-row" screen="tools" item={name} current={name === current?.name}>
                  <code>{name}</code>
                  {approval !== "auto" && (
                    <span class="faint">{approval === "confirm" ? "asks" : "may ask"}</span>
                  )}
                </Link>
              ))}
          </div>
        ))}
      </nav>
      <div class="scroll pane-main">
        {current !== undefined && <ToolPage key={current.name} tool={current} />}
      </div>
    </div>
  );
}

/** Sorted as in the prompt; categories of other packs come last. */
function placeOf(category: string): number {
  const at = (KNOWN_CATEGORIES as readonly string[]).indexOf(category);
  return at === -1 ? KNOWN_CATEGORIES.length : at;
}

function ToolPage({ tool }: { readonly tool: ToolDescription }) {
  return (
    <article class="page">
      <h1>
        <code>{tool.name}</code>
      </h1>
      <p class="prose">{tool.summary}</p>
      <dl class="kv">
        <dt>Approval</dt>
        <dd>{APPROVALS[tool.approval]}</dd>
        <dt>Permissions</dt>
        <dd>{tool.permissions.join(", ") || "none"}</dd>
        {tool.pack !== undefined && (
          <>
            <dt>Pack</dt>
            <dd>{tool.pack}</dd>
          </>
        )}
      </dl>
      <section class="try" aria-label="Try it">
        <h2>Try it</h2>
        <TryTool tool={tool} />
      </section>
      <details class="schema">
        <summary>Input schema</summary>
        <JsonWell text={prettyJson(tool.input)} label="Input schema" />
      </details>
    </article>
  );
}
