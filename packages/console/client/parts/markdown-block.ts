export type Block =
  | { readonly kind: "code"; readonly text: string; readonly language: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | ListBlock
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "rule" }
  | { readonly kind: "heading"; readonly text: string }
  /** Each line ends at a hard break. */
  | { readonly kind: "paragraph"; readonly lines: readonly string[] };

export interface ListBlock {
  readonly kind: "list";
  /** The number of the first item; undefined for bullets. */
  readonly start: number | undefined;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  /** Undefined for an item that is not a task. */
  readonly isDone: boolean | undefined;
  readonly blocks: readonly Block[];
}
