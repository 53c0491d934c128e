import type Anthropic from "@anthropic-ai/sdk";
import type { ContentListUnion, Part, ToolListUnion } from "@google/genai";
import type OpenAI from "openai";
import { describe, expectTypeOf, it } from "vitest";
import type { toAnthropicTools } from "./anthropic-tools.js";
import type { toGeminiTools } from "./gemini-tools.js";
import type { toOpenAiResponsesTools } from "./openai-responses-tools.js";
import type { toOpenAiTools } from "./openai-tools.js";
import type {
  AnthropicToolResult,
  GeminiFunctionResponse,
  OpenAiResponsesOutput,
  OpenAiToolMessage,
} from "./tool-results.js";

// The providers' own types check ours: the SDKs accept the returned values without conversion.
describe("S3.REG values for a provider have the type of its SDK", () => {
  it("tools", () => {
    expectTypeOf<ReturnType<typeof toOpenAiTools>>().toExtend<
      NonNullable<OpenAI.ChatCompletionCreateParams["tools"]>
    >();
    expectTypeOf<ReturnType<typeof toOpenAiResponsesTools>>().toExtend<OpenAI.Responses.Tool[]>();
    expectTypeOf<ReturnType<typeof toAnthropicTools>>().toExtend<Anthropic.Tool[]>();
    expectTypeOf<ReturnType<typeof toGeminiTools>>().toExtend<ToolListUnion>();
  });

  it("results", () => {
    expectTypeOf<OpenAiToolMessage>().toExtend<OpenAI.ChatCompletionMessageParam>();
    expectTypeOf<OpenAiResponsesOutput>().toExtend<OpenAI.Responses.ResponseInputItem>();
    expectTypeOf<AnthropicToolResult>().toExtend<Anthropic.ToolResultBlockParam>();
    expectTypeOf<GeminiFunctionResponse>().toExtend<Part>();
    expectTypeOf<{ role: "user"; parts: GeminiFunctionResponse[] }[]>().toExtend<ContentListUnion>();
  });
});
