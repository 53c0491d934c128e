import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { subcommandSpellings } from "./subcommand-spellings.js";

const list = join(dirname(process.execPath), "../lib/node_modules/npm/lib/utils/cmd-list.js");

describe("FE15 other words for a subcommand", () => {
  it.skipIf(!existsSync(list))(
    "are those that npm itself takes for it (skipped where Node has no npm)",
    () => {
      const npm: {
        commands: string[];
        aliases: Record<string, string>;
        deref(word: string): string | undefined;
      } = createRequire(import.meta.url)(list);
      const names = [...npm.commands, ...Object.keys(npm.aliases)];
      const words = new Set(
        names.flatMap((name) => Array.from(name, (_, index) => name.slice(0, index + 1))),
      );
      const missed = [...words].filter((word) => {
        const meant = npm.deref(word);
        if (meant === undefined || meant === word) return false;
        return !subcommandSpellings("npm", word, "").some(([spelling]) => spelling === meant);
      });
      expect(missed).toEqual([]);
      expect(words.size).toBeGreaterThan(300);
    },
  );
});
