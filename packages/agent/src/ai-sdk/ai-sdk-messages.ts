import type { Content, ImageContent } from "@haft/core";
import type { ModelMessage as AiMessage, UserContent } from "ai";
import type { CallSignature } from "../event/proposed-call.js";
import type { ModelMessage } from "../model/model-client.js";

/** Converts the conversation to the AI SDK's format. Marks the system prompt and the newest message as cacheable. */
export function aiSdkMessages(messages: readonly ModelMessage[]): AiMessage[] {
  return messages.map((message, index) => {
    const isCached = message.role === "system" || index === messages.length - 1;
    return { ...toAiMessage(message), ...(isCached && { providerOptions: CACHED }) } as AiMessage;
  });
}

/** Used by providers that cache only marked messages. */
const CACHED = { anthropic: { cacheControl: { type: "ephemeral" } } };

function toAiMessage(message: ModelMessage): AiMessage {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: userContent(message.text, message.images) };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.calls.map(({ id, name, args, signature }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName: name,
            input: JSON.parse(args) as unknown,
            ...(signature !== undefined && { providerOptions: signatureOptions(signature) }),
          })),
        ],
      };
    case "tool":
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: message.callId,
            toolName: message.tool,
            output: toOutput(message.content),
          },
        ],
      };
  }
}

/** Sends text as text: many providers would show the model a list of parts as JSON. */
function toOutput(content: readonly Content[]) {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === content.length
    ? { type: "text" as const, value: texts.join("\n") }
    : { type: "content" as const, value: content.map(toPart) };
}

function signatureOptions({ by, value }: CallSignature) {
  return { [by]: { thoughtSignature: value } };
}

function userContent(text: string, images: readonly ImageContent[] = []): UserContent {
  if (images.length === 0) return text;
  const shown = images.map(({ data, mimeType }) => ({
    type: "image" as const,
    image: data,
    mediaType: mimeType,
  }));
  return [{ type: "text", text }, ...shown];
}

function toPart(content: Content) {
  return content.type === "image"
    ? { type: "image-data" as const, data: content.data, mediaType: content.mimeType }
    : { type: "text" as const, text: content.text };
}
