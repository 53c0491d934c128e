import { VisibleText } from "./visible-text.js";

/** Why something failed, in the server's words; nothing where nothing failed. */
export function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="problem" role="alert">
      <VisibleText text={text} />
    </p>
  );
}
