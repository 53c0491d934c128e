import type { ComponentChildren } from "preact";

/** The shapes of all icons, on a grid of 16. */
export const ICONS = {
  at: (
    <>
      <circle cx="8" cy="8" r="2.4" />
      <path d="M10.4 5.6v3.2a1.6 1.6 0 0 0 3.1 0V8A5.5 5.5 0 1 0 11 12.6" />
    </>
  ),
  audit: (
    <>
      <path d="M3 2.5h10v11H3z" />
      <path d="M5.5 5.5h5M5.5 8h5M5.5 10.5h3" />
    </>
  ),
  back: (
    <>
      <path d="m10 4-4 4 4 4" />
    </>
  ),
  check: (
    <>
      <path d="m3.5 8.5 3 3 6-7" />
    </>
  ),
  chev: (
    <>
      <path d="m6 4 4 4-4 4" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
    </>
  ),
  denied: (
    <>
      <circle cx="8" cy="8" r="5.7" strokeWidth="1.7" />
      <path d="m4.2 11.8 7.6-7.6" strokeWidth="1.7" />
    </>
  ),
  disk: (
    <>
      <path d="M3 3h8l2 2v8H3z" />
      <path d="M5.5 3v3h4V3M5.5 13v-4h5v4" />
    </>
  ),
  dots: (
    <>
      <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.2" />
    </>
  ),
  down: (
    <>
      <path d="m4 6 4 4 4-4" />
    </>
  ),
  edit: (
    <>
      <path d="M3 13h2.2l7.3-7.3-2.2-2.2L3 10.8zM8.8 5 11 7.2" />
    </>
  ),
  failed: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
      <path d="m5.7 5.7 4.6 4.6M10.3 5.7l-4.6 4.6" stroke="var(--surface)" strokeWidth="1.7" />
    </>
  ),
  file: (
    <>
      <path d="M4 2h5l3 3v9H4z" />
      <path d="M9 2v3h3" />
    </>
  ),
  folder: (
    <>
      <path d="M2 4.5a1 1 0 0 1 1-1h3l1.5 1.7H13a1 1 0 0 1 1 1v5.3a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" />
    </>
  ),
  gear: (
    <>
      <circle cx="8" cy="8" r="2" />
      <path d="M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4" />
    </>
  ),
  history: (
    <>
      <path d="M2.6 6.2A5.7 5.7 0 1 1 2.3 8" />
      <path d="M2.3 3.2v3h3M8 5v3.2l2.2 1.3" />
    </>
  ),
  inbox: (
    <>
      <path d="M2 9.5 3.8 3.6A1 1 0 0 1 4.8 3h6.4a1 1 0 0 1 1 .6L14 9.5V12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" />
      <path d="M2 9.5h3.2l1 1.7h3.6l1-1.7H14" />
    </>
  ),
  ok: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
      <path d="m5.2 8.2 2 2 3.7-4.3" stroke="var(--surface)" strokeWidth="1.7" />
    </>
  ),
  panel: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M10 3v10" />
    </>
  ),
  play: (
    <>
      <path d="m5 3.5 7 4.5-7 4.5z" />
    </>
  ),
  plus: (
    <>
      <path d="M8 3v10M3 8h10" />
    </>
  ),
  rules: (
    <>
      <path d="M8 2 3 3.8V8c0 3 2.1 5 5 6 2.9-1 5-3 5-6V3.8z" />
      <path d="m5.9 8 1.5 1.5 2.8-3" />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="5.7" strokeWidth="1.8" opacity=".28" />
      <path d="M8 2.3a5.7 5.7 0 0 1 5.7 5.7" strokeWidth="1.8" />
    </>
  ),
  runs: (
    <>
      <path d="M2.5 4h7M2.5 8h5M2.5 12h4" />
      <path d="m10.5 7.5 4 2.75-4 2.75z" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.2" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  send: (
    <>
      <path d="M8 13V3M4 7l4-4 4 4" />
    </>
  ),
  split: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M8 3v10" />
    </>
  ),
  stop: (
    <>
      <rect x="4" y="4" width="8" height="8" rx="1.5" fill="currentColor" stroke="none" />
    </>
  ),
  swap: (
    <>
      <path d="M3 5.5h9.5M10 3l2.5 2.5L10 8M13 10.5H3.5M6 8l-2.5 2.5L6 13" />
    </>
  ),
  team: (
    <>
      <rect x="2" y="3" width="12" height="4" rx="1" />
      <rect x="2" y="9" width="12" height="4" rx="1" />
      <path d="M4.5 5h.01M4.5 11h.01M8 5h3.500M8 11h3.500" />
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" stroke="none" />
    </>
  ),
  tools: (
    <>
      <path d="M9.8 4.2a3 3 0 0 1 3.9-1.5L11.8 4.6l.3 1.3 1.3.3 1.9-1.9" transform="translate(-1 0)" />
      <path d="M13.9 5.2a3.1 3.1 0 0 1-4.2 3L5 12.9a1.4 1.4 0 0 1-2-2l4.7-4.7a3.1 3.1 0 0 1 1.1-2" />
    </>
  ),
  undo: (
    <>
      <path d="M5.5 3.5 2.5 6.5l3 3" />
      <path d="M2.5 6.5H10a3.5 3.5 0 0 1 0 7H6.5" />
    </>
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="5.9" strokeWidth="1.4" stroke-dasharray="2.2 2.1" />
      <path d="M6.3 6.4a1.7 1.7 0 1 1 2.5 1.5c-.5.3-.8.6-.8 1.1M8 11v.01" strokeWidth="1.5" />
    </>
  ),
  up: (
    <>
      <path d="m4 10 4-4 4 4" />
    </>
  ),
  waiting: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
      <path d="M6.4 5.6v4.8M9.6 5.6v4.8" stroke="var(--surface)" strokeWidth="1.8" />
    </>
  ),
  x: (
    <>
      <path d="m4 4 8 8M12 4l-8 8" />
    </>
  ),
} satisfies Record<string, ComponentChildren>;

export type IconName = keyof typeof ICONS;
