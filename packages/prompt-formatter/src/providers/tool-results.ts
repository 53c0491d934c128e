import type { ImageContent, ToolResult } from "@haft/core";

// Formats tool results for providers. The call was made with the provider's id as its `callId`, so the result
// identifies the call it answers.

/** A tool message of OpenAI's chat completions, which accepts only text. */
export interface OpenAiToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

export function toOpenAiToolMessage({ callId, text }: ToolResult): OpenAiToolMessage {
  return { role: "tool", tool_call_id: callId, content: text };
}

/** An input item of OpenAI's Responses API. */
export interface OpenAiResponsesOutput {
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output:
    | string
    | (
        | { readonly type: "input_text"; readonly text: string }
        | { readonly type: "input_image"; readonly image_url: string; readonly detail: "auto" }
      )[];
}

export function toOpenAiResponsesOutput(result: ToolResult): OpenAiResponsesOutput {
  const images = imagesOf(result);
  const frame = { type: "function_call_output", call_id: result.callId } as const;
  if (images.length === 0) return { ...frame, output: result.text };
  const shown = images.map(({ mimeType, data }) => {
    return { type: "input_image", image_url: `data:${mimeType};base64,${data}`, detail: "auto" } as const;
  });
  return { ...frame, output: [{ type: "input_text", text: result.text }, ...shown] };
}

/** A content block of Anthropic's Messages API. */
export interface AnthropicToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly is_error: boolean;
  readonly content:
    | string
    | (
        | { readonly type: "text"; readonly text: string }
        | {
            readonly type: "image";
            readonly source: {
              readonly type: "base64";
              readonly media_type: AnthropicImage;
              readonly data: string;
            };
          }
      )[];
}

export function toAnthropicToolResult(result: ToolResult): AnthropicToolResult {
  const { callId, ok, text } = result;
  const frame = { type: "tool_result", tool_use_id: callId, is_error: !ok } as const;
  const shown = imagesOf(result).flatMap(({ mimeType, data }) => {
    const media_type = ANTHROPIC_IMAGES.find((known) => known === mimeType);
    if (media_type === undefined) return [];
    return [{ type: "image", source: { type: "base64", media_type, data } } as const];
  });
  if (shown.length === 0) return { ...frame, content: text };
  return { ...frame, content: [{ type: "text", text }, ...shown] };
}

/** Other types make the whole request fail; the text still describes the image. */
const ANTHROPIC_IMAGES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;
type AnthropicImage = (typeof ANTHROPIC_IMAGES)[number];

/** A part of a Gemini content. */
export interface GeminiFunctionResponse {
  readonly functionResponse: {
    readonly id: string;
    readonly name: string;
    readonly response: Record<string, unknown>;
    readonly parts?: { readonly inlineData: { readonly mimeType: string; readonly data: string } }[];
  };
}

export function toGeminiFunctionResponse(result: ToolResult): GeminiFunctionResponse {
  const { callId: id, tool: name, ok, text } = result;
  const parts = imagesOf(result).map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }));
  const response = ok ? { output: text } : { error: text };
  return { functionResponse: { id, name, response, ...(parts.length > 0 && { parts }) } };
}

function imagesOf(result: ToolResult): readonly ImageContent[] {
  return result.ok ? result.content.filter((part) => part.type === "image") : [];
}
