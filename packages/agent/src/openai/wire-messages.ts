import type { Content, ImageContent } from "@haft/core";
import type { MessageCall, ModelMessage } from "../model/model-client.js";

type WireMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly WirePart[] }
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly tool_calls?: readonly WireCall[];
    }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
}

type WirePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

/** Converts messages for chat completions. Omits signatures of providers other than `server`. */
export function wireMessages(messages: readonly ModelMessage[], server = ""): readonly WireMessage[] {
  const wired: WireMessage[] = [];
  let images: ImageContent[] = [];
  for (const message of messages) {
    // Results can only contain text, so their images follow in a user message after the last result.
    if (message.role !== "tool" && images.length > 0) {
      wired.push(imageMessage(images));
      images = [];
    }
    if (message.role === "tool") images.push(...message.content.filter((part) => part.type === "image"));
    wired.push(wireMessage(message, server));
  }
  return images.length > 0 ? [...wired, imageMessage(images)] : wired;
}

function wireMessage(message: ModelMessage, server: string): WireMessage {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: userContent(message.text, message.images) };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: textOf(message.content) };
    case "assistant": {
      const { text, calls } = message;
      if (calls.length === 0) return { role: "assistant", content: text };
      const made = calls.map((call) => wireCall(call, server));
      return { role: "assistant", content: text === "" ? null : text, tool_calls: made };
    }
  }
}

function wireCall({ id, name, args, signature }: MessageCall, server: string): WireCall {
  const call = { id, type: "function" as const, function: { name, arguments: args } };
  if (signature?.by !== server) return call;
  return { ...call, extra_content: { google: { thought_signature: signature.value } } };
}

function textOf(content: readonly Content[]): string {
  return content.map((part) => (part.type === "text" ? part.text : "[image, shown below]")).join("\n");
}

function imageMessage(images: readonly ImageContent[]): WireMessage {
  return { role: "user", content: userContent("The images of the results above:", images) };
}

function userContent(text: string, images: readonly ImageContent[] = []): string | readonly WirePart[] {
  if (images.length === 0) return text;
  const shown = images.map(({ mimeType, data }): WirePart => {
    return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
  });
  return [{ type: "text", text }, ...shown];
}
