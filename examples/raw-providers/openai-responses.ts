import type { ToolRuntime } from "@haft/core";
import { toOpenAiResponsesOutput, toOpenAiResponsesTools } from "@haft/prompt-formatter";
import type OpenAI from "openai";
import type { Conversation } from "./agent-loop.js";

/** OpenAI's Responses API, with the whole conversation in every request. */
export function responsesConversation(
  client: OpenAI,
  runtime: ToolRuntime,
  messages: OpenAI.Responses.ResponseInputItem[],
): Conversation {
  return {
    messages,
    async send() {
      const tools = toOpenAiResponsesTools(runtime.tools());
      const { output } = await client.responses.create({
        model: "gpt-5",
        input: messages,
        tools,
        store: false,
      });
      messages.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    },
    openCalls() {
      const answered = new Set(
        messages.flatMap((item) => (item.type === "function_call_output" ? [item.call_id] : [])),
      );
      return messages.flatMap((item) =>
        item.type === "function_call" && !answered.has(item.call_id)
          ? [{ callId: item.call_id, tool: item.name, args: item.arguments }]
          : [],
      );
    },
    addResults: (results) => messages.push(...results.map(toOpenAiResponsesOutput)),
    text() {
      const last = messages.at(-1);
      if (last?.type !== "message" || typeof last.content === "string") return "";
      return last.content.map((part) => (part.type === "output_text" ? part.text : "")).join("");
    },
  };
}
