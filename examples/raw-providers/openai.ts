import type { ToolRuntime } from "@haft/core";
import { toOpenAiToolMessage, toOpenAiTools } from "@haft/prompt-formatter";
import type OpenAI from "openai";
import type { Conversation } from "./agent-loop.js";

/** OpenAI's chat completions, which many other servers implement too. */
export function openAiConversation(
  client: OpenAI,
  runtime: ToolRuntime,
  messages: OpenAI.ChatCompletionMessageParam[],
): Conversation {
  return {
    messages,
    async send() {
      const tools = toOpenAiTools(runtime.tools());
      const { choices } = await client.chat.completions.create({ model: "gpt-5", messages, tools });
      if (choices[0] !== undefined) messages.push(choices[0].message);
    },
    openCalls() {
      const last = messages.at(-1);
      const calls = last?.role === "assistant" ? (last.tool_calls ?? []) : [];
      return calls.flatMap((call) =>
        call.type === "function"
          ? [{ callId: call.id, tool: call.function.name, args: call.function.arguments }]
          : [],
      );
    },
    addResults: (results) => messages.push(...results.map(toOpenAiToolMessage)),
    text: () => String(messages.at(-1)?.content ?? ""),
  };
}
