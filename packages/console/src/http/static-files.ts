import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The page and its scripts, read once at start. Serves only these files. */
export class StaticFiles {
  readonly #files = new Map<string, StaticFile>();
  readonly #page: string;

  constructor(directory = builtPage()) {
    this.#page = readFileSync(join(directory, "index.html"), "utf8");
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const type = TYPES[extname(entry.name)];
      if (!entry.isFile() || type === undefined || entry.name === "index.html") continue;
      const path = join(entry.parentPath, entry.name);
      this.#files.set(path.slice(directory.length).replaceAll("\\", "/"), { path, type });
    }
  }

  /** Returns false if the file does not exist. */
  send(pathname: string, response: ServerResponse): boolean {
    const file = this.#files.get(pathname);
    if (file === undefined) return false;
    file.packed ??= gzipSync(readFileSync(file.path));
    response.writeHead(200, {
      "content-type": file.type,
      "content-encoding": "gzip",
      // Their names contain a hash of their content.
      "cache-control": "private, max-age=31536000, immutable",
    });
    response.end(file.packed);
    return true;
  }

  /** The page itself. The editor's style sheets carry the nonce; nothing inline runs. */
  sendPage(response: ServerResponse): void {
    const nonce = randomBytes(16).toString("base64");
    response.setHeader("content-security-policy", contentPolicy(nonce));
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
    response.end(this.#page.replaceAll("__NONCE__", () => nonce));
  }
}

export function contentPolicy(nonce?: string): string {
  const styles = nonce === undefined ? "'self'" : `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

interface StaticFile {
  readonly path: string;
  readonly type: string;
  packed?: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Beside the bundle if installed; in `dist` if this runs from source. */
function builtPage(): string {
  const places = ["./static/", "../dist/static/", "../../dist/static/"];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (found === undefined) throw new Error("The console's page is not built. Run: pnpm build");
  return found.replace(/[/\\]$/, "");
}
