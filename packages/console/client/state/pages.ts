import type { JSX } from "preact";
import type { IconName } from "../parts/icons.js";

/** One screen of the console, as used by the rail, the palette, the router and the frame. */
export interface Page {
  /** Its part of the address, and its key everywhere. */
  readonly screen: string;
  /** In the rail and in the title bar. */
  readonly name: string;
  readonly icon: IconName;
  main(): JSX.Element;
  /** The side panel, if any. */
  side?(): JSX.Element;
  /** Shows a number in the rail, for what waits there. */
  waiting?(): number;
  /** What was last looked at there, and is opened again. */
  item?(): string | undefined;
}

const pages: Page[] = [];

/** Adds a screen after those that are there. Those of the console are listed in `pages/all-pages.tsx`. */
export function addPage(page: Page): void {
  pages.push(page);
}

export function allPages(): readonly Page[] {
  return pages;
}
