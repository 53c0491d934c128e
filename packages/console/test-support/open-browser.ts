// Opens the browser that tests drive: Debian's Chromium, or the program in HAFT_CHROMIUM.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = process.env.HAFT_CHROMIUM ?? "/usr/bin/chromium";

export const NO_BROWSER = existsSync(CHROMIUM)
  ? undefined
  : `there is no ${CHROMIUM}: apt-get install chromium, or set HAFT_CHROMIUM`;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
