import { randomUUID } from "node:crypto";
import type { Content, GoogleGenAI, Part } from "@google/genai";
import type { ToolRuntime } from "@haft/core";
import { toGeminiFunctionResponse, toGeminiTools } from "@haft/prompt-formatter";
import type { Conversation } from "./agent-loop.js";

/** Gemini's generateContent. */
export function geminiConversation(
  client: GoogleGenAI,
  runtime: ToolRuntime,
  messages: Content[],
): Conversation {
  const lastParts = () => (messages.at(-1)?.role === "model" ? (messages.at(-1)?.parts ?? []) : []);
  return {
    messages,
    async send() {
      const config = { tools: toGeminiTools(runtime.tools()) };
      const request = { model: "gemini-pro-latest", contents: messages, config };
      const { candidates } = await client.models.generateContent(request);
      // The parts are sent back unchanged: they may carry thought signatures, which Gemini requires.
      messages.push({ role: "model", parts: (candidates?.[0]?.content?.parts ?? []).map(withCallId) });
    },
    openCalls: () =>
      lastParts().flatMap(({ functionCall }) =>
        functionCall === undefined
          ? []
          : [{ callId: functionCall.id ?? "", tool: functionCall.name ?? "", args: functionCall.args }],
      ),
    addResults: (results) => messages.push({ role: "user", parts: results.map(toGeminiFunctionResponse) }),
    text: () =>
      lastParts()
        .map(({ text = "" }) => text)
        .join(""),
  };
}

/** Gemini's calls have no ids, and the loop needs one to resume a call. */
function withCallId(part: Part): Part {
  if (part.functionCall === undefined) return part;
  return { ...part, functionCall: { ...part.functionCall, id: part.functionCall.id ?? randomUUID() } };
}
