import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

export interface TestRegistry extends AsyncDisposable {
  readonly url: string;
  /** The requests received: method, path, and the Authorization header. */
  readonly requests: readonly { method: string; path: string; authorization: string | undefined }[];
}

/** Opens an npm registry on loopback, with one version of each package. */
export async function openTestRegistry(
  packages: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<TestRegistry> {
  const requests: { method: string; path: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/");
    requests.push({ method: request.method ?? "", path, authorization: request.headers.authorization });
    const [, name = "", tarball] = /^\/((?:@[^/]+\/)?[^/]+)(\/-\/.*)?$/.exec(path) ?? [];
    const files = Object.hasOwn(packages, name) ? packages[name] : undefined;
    if (files === undefined) return response.writeHead(404, { "content-type": "application/json" }).end("{}");
    const archive = tarballOf(files);
    if (tarball !== undefined) return response.writeHead(200).end(archive);
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify(packumentOf({ name, files, archive, url })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Published {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly archive: Buffer;
  readonly url: string;
}

function packumentOf({ name, files, archive, url }: Published): object {
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const manifest = JSON.parse(files["package.json"] ?? "{}") as { version: string };
  const tarball = `${url}${name}/-/${name.replace(/^.*\//, "")}-${manifest.version}.tgz`;
  return {
    name,
    "dist-tags": { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist: { tarball, integrity } } },
  };
}

/** Builds a tar file from blocks of 512 bytes: a header, then the content. */
function tarballOf(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, content]) => {
    const header = Buffer.alloc(512);
    header.write(`package/${path}`, 0);
    header.write("0000755\0", 100);
    header.write("0000000\0", 108);
    header.write("0000000\0", 116);
    header.write(`${Buffer.byteLength(content).toString(8).padStart(11, "0")}\0`, 124);
    header.write("00000000000\0", 136);
    header.write("        0", 148);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
    body.write(content);
    return [header, body];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
