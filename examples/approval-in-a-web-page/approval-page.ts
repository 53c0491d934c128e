import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { formatApproval } from "@haft/prompt-formatter";
import type { NodeRuntime } from "@haft/runtime-node";

export interface ApprovalPage {
  readonly url: string;
  close(): void;
}

/** Serves the pending requests of a runtime as a page with two buttons each. Put your own sign-in in front of it. */
export async function serveApprovals(runtime: NodeRuntime): Promise<ApprovalPage> {
  const answer: RequestListener = (request, response) =>
    void (request.method === "POST" ? decide(runtime, request, response) : list(runtime, response)).catch(
      (error: Error) => response.writeHead(409).end(error.message),
    );
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, close: () => server.close() };
}

async function list(runtime: NodeRuntime, response: ServerResponse): Promise<void> {
  const forms = (await runtime.pending()).map(
    (request) => `<form method="post" action="/${encodeURIComponent(request.approvalId)}">
  <pre>${escapeHtml(formatApproval(request))}</pre>
  <button name="approved" value="true">Approve</button> <button name="approved" value="false">Deny</button>
</form>`,
  );
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(`<!doctype html><title>Approvals</title>\n${forms.join("\n") || "Nothing to approve."}`);
}

async function decide(
  runtime: NodeRuntime,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Another site can submit a form too; the browser's headers reveal that.
  if (request.headers.origin !== `http://${request.headers.host}`) throw new Error("sent by another site");
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  const approvalId = decodeURIComponent(request.url?.slice(1) ?? "");
  await runtime.decide(approvalId, { approved: form.get("approved") === "true" });
  response.writeHead(303, { location: "/" }).end();
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
