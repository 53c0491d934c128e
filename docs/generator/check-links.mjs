// Fails when a page of the built site links to a file or heading that does not exist.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../.vitepress/dist/", import.meta.url));
const ids = new Map();
const pages = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".html"),
);
const dead = pages.flatMap((page) => deadLinks(page).map((link) => `${page}: ${link}`));

if (dead.length > 0) {
  console.error(`${dead.length} dead links:\n${dead.slice(0, 50).join("\n")}`);
  process.exit(1);
}
console.log(`no dead link on ${pages.length} pages`);

function deadLinks(page) {
  const html = readFileSync(join(DIST, page), "utf8");
  const links = [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, link]) =>
    link.replaceAll("&amp;", "&"),
  );
  return [...new Set(links)].filter((link) => !isExternal(link) && !isAlive(page, link));
}

function isExternal(link) {
  return /^(https?:|mailto:|data:|\/\/)/.test(link);
}

function isAlive(page, link) {
  const [path, hash] = link.split("#");
  const bare = decodeURIComponent(path.split("?")[0]);
  const file =
    bare === ""
      ? join(DIST, page)
      : fileOf(bare.startsWith("/") ? join(DIST, bare) : resolve(DIST, dirname(page), bare));
  if (file === undefined) return false;
  return (
    !hash || !file.endsWith(".html") || idsOf(file).has(decodeURIComponent(hash)) || hash.startsWith("md:")
  );
}

function fileOf(path) {
  for (const file of [path, `${path}.html`, join(path, "index.html")])
    if (existsSync(file) && statSync(file).isFile()) return file;
  return undefined;
}

function idsOf(file) {
  const known =
    ids.get(file) ?? new Set([...readFileSync(file, "utf8").matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
  ids.set(file, known);
  return known;
}
