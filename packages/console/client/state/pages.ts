import type { JSX } from "preact";
import type { IconName } from "../parts/icons.js";

/** One screen of the console, as used by the rail, the palette, the router and the frame. */
export interface Page {
  /** Its path segment in the address, and its key everywhere else. */
  readonly screen: string;
  /** Its name in the rail and in the title bar. */
  readonly name: string;
  readonly icon: IconName;
  main(): JSX.Element;
  /** The side panel, if any. */
  side?(): JSX.Element;
  /** Returns a number to show in the rail, such as pending requests. */
  waiting?(): number;
  /** Returns the address to reopen: what the user viewed last on this screen. */
  item?(): string | undefined;
}

const pages: Page[] = [];

/** Registers a screen after the existing ones. The console's own are listed in `pages/all-pages.tsx`. */
export function addPage(page: Page): void {
  pages.push(page);
}

export function allPages(): readonly Page[] {
  return pages;
}
