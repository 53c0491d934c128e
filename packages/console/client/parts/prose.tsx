import { parseInline } from "@haft/text/display";
import { type ComponentChildren, Fragment, type JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Block, ListBlock } from "./markdown-block.js";
import { blocksOf } from "./markdown-blocks.js";
import { VisibleText } from "./visible-text.js";

/** Renders Markdown as models write it. Creates elements, never markup. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div class="prose">
      <Blocks blocks={blocks} />
    </div>
  );
}

function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockElement key={index} block={block} />
      ))}
    </>
  );
}

function BlockElement({ block }: { readonly block: Block }): JSX.Element {
  switch (block.kind) {
    case "code":
      return (
        <pre
          class="term"
          tabIndex={0}
          aria-label={block.language === "" ? "Code" : `Code, ${block.language}`}
        >
          <VisibleText text={block.text} />
        </pre>
      );
    case "table":
      return <ProseTable rows={block.rows} />;
    case "list":
      return <ProseList list={block} />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "rule":
      return <hr />;
    case "heading":
      return (
        <p class="heading">
          <Inline text={block.text} />
        </p>
      );
    case "paragraph":
      return (
        <p>
          <Lines lines={block.lines} />
        </p>
      );
  }
}

function ProseList({ list: { start, items } }: { readonly list: ListBlock }) {
  const children = items.map(({ isDone, blocks }, index) => (
    <li key={index} class={isDone === undefined ? undefined : "task"}>
      {isDone !== undefined && <TaskMark isDone={isDone} />}
      <ItemBlocks blocks={blocks} />
    </li>
  ));
  return start === undefined ? <ul>{children}</ul> : <ol start={start}>{children}</ol>;
}

/** Puts the text of an item beside its mark, without paragraph margins. */
function ItemBlocks({ blocks: [first, ...rest] }: { readonly blocks: readonly Block[] }) {
  if (first?.kind !== "paragraph") return <Blocks blocks={first === undefined ? [] : [first, ...rest]} />;
  return (
    <>
      <Lines lines={first.lines} />
      <Blocks blocks={rest} />
    </>
  );
}

function TaskMark({ isDone }: { readonly isDone: boolean }) {
  return (
    <>
      <span aria-hidden="true">{isDone ? "☑" : "☐"}</span>
      <span class="sr">{isDone ? "Done:" : "Open:"}</span>{" "}
    </>
  );
}

function ProseTable({ rows: [head = [], ...rows] }: { readonly rows: readonly (readonly string[])[] }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Table">
      <table class="plain-table">
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index}>
                <Inline text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {head.map((_, index) => (
                <td key={index}>
                  <Inline text={cells[index] ?? ""} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <>
      {lines.map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          <Inline text={line} />
        </Fragment>
      ))}
    </>
  );
}

/**
 * Renders code, emphasis and links within a line. Links stay text and show their target, because they lead to other
 * hosts.
 */
function Inline({ text }: { readonly text: string }) {
  // While a message streams in, only its last line is parsed again.
  const spans = useMemo(
    () => (text.length > MAX_INLINE ? [{ text, styles: [] }] : parseInline(text).spans),
    [text],
  );
  return (
    <>
      {spans.map(({ text: part, styles }, index) => (
        <Styled key={index} styles={styles}>
          <VisibleText text={part} />
        </Styled>
      ))}
    </>
  );
}

/** Longer lines are not parsed. */
const MAX_INLINE = 20_000;

interface StyledProps {
  readonly styles: ReturnType<typeof parseInline>["spans"][number]["styles"];
  readonly children: ComponentChildren;
}

function Styled({ styles: [inner, ...outer], children }: StyledProps): JSX.Element {
  if (inner === undefined) return <>{children}</>;
  return (
    <Styled styles={outer}>
      <Mark style={inner}>{children}</Mark>
    </Styled>
  );
}

function Mark({
  style,
  children,
}: {
  readonly style: StyledProps["styles"][number];
  readonly children: ComponentChildren;
}) {
  switch (style) {
    case "code":
      return <code>{children}</code>;
    case "strong":
      return <strong>{children}</strong>;
    case "em":
      return <em>{children}</em>;
    case "gone":
      return <s>{children}</s>;
    case "target":
      return <span class="faint">{children}</span>;
    case "link":
      return <>{children}</>;
  }
}
