import type { Content, ImageContent } from "@haft/core";
import type { ModelMessage } from "../model/model-client.js";

/** Messages as chat completions take them. */
export type WireMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly WirePart[] }
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly tool_calls?: readonly WireCall[];
    }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

type WirePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export function wireMessages(messages: readonly ModelMessage[]): readonly WireMessage[] {
  const wired: WireMessage[] = [];
  let images: ImageContent[] = [];
  for (const message of messages) {
    // Results hold text only, so their images follow as something the user shows, after the last result.
    if (message.role !== "tool" && images.length > 0) {
      wired.push(imageMessage(images));
      images = [];
    }
    if (message.role === "tool") images.push(...message.content.filter((part) => part.type === "image"));
    wired.push(wireMessage(message));
  }
  return images.length > 0 ? [...wired, imageMessage(images)] : wired;
}

function wireMessage(message: ModelMessage): WireMessage {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.text };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: textOf(message.content) };
    case "assistant": {
      const { text, calls } = message;
      if (calls.length === 0) return { role: "assistant", content: text };
      const made = calls.map(({ id, name, args }): WireCall => {
        return { id, type: "function", function: { name, arguments: args } };
      });
      return { role: "assistant", content: text === "" ? null : text, tool_calls: made };
    }
  }
}

function textOf(content: readonly Content[]): string {
  return content.map((part) => (part.type === "text" ? part.text : "[image, shown below]")).join("\n");
}

function imageMessage(images: readonly ImageContent[]): WireMessage {
  const parts = images.map(({ mimeType, data }): WirePart => {
    return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
  });
  return { role: "user", content: [{ type: "text", text: "The images of the results above:" }, ...parts] };
}
