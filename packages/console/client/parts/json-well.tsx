import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ColouredSpan } from "../files/syntax.js";
import { ColouredText } from "./coloured-text.js";
import { Icon } from "./icon.js";
import { announce } from "./toast.js";

/** JSON in a box, with its colours. */
export function JsonWell({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = useMemo(() => text.split("\n"), [text]);
  const colours = useSignal<readonly (readonly ColouredSpan[])[]>([]);
  useEffect(() => {
    let isCurrent = true;
    colours.value = [];
    if (text.length > MAX_COLOURED) return undefined;
    void import("../files/syntax.js").then(({ colouredLines }) => {
      if (isCurrent) colours.value = colouredLines("x.json", lines);
    });
    return () => {
      isCurrent = false;
    };
  }, [lines]);
  return (
    <pre class="well" tabIndex={0} aria-label={label}>
      {lines.map((line, index) => (
        <Fragment key={index}>
          {index > 0 && "\n"}
          <ColouredText text={line} spans={colours.value[index] ?? []} />
        </Fragment>
      ))}
    </pre>
  );
}

const MAX_COLOURED = 100_000;

/** Copies a text, and shows for a moment that it did. */
export function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
  const isCopied = useSignal(false);
  useEffect(() => {
    if (!isCopied.value) return undefined;
    const timer = window.setTimeout(() => (isCopied.value = false), COPIED_MS);
    return () => window.clearTimeout(timer);
  }, [isCopied.value]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      announce("The browser did not allow copying");
      return;
    }
    isCopied.value = true;
    announce("Copied");
  };
  return (
    <button
      type="button"
      class="btn quiet sm icon"
      aria-label={`Copy ${name}`}
      title={`Copy ${name}`}
      onClick={() => void copy()}
    >
      <Icon name={isCopied.value ? "check" : "copy"} class="i-s" />
    </button>
  );
}

const COPIED_MS = 1_500;
