import type { ToolRuntime } from "@haft/core";

/** A minimal agent: it removes trailing spaces from a file, through the runtime it is given. */
export async function tidy(runtime: ToolRuntime, path: string): Promise<string> {
  const page = await runtime.call("read_file", { path });
  if (!page.ok) return page.text;
  const { content } = page.value as { content: string };
  const written = await runtime.call("write_file", { path, content: content.replaceAll(/ +$/gm, "") });
  return written.text;
}
