import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import type { ToolRuntime } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdapterWorkspace, adapterWorkspace } from "../fixtures/adapter-workspace.js";
import { type LoopbackProvider, loopbackProvider } from "../fixtures/loopback-provider.js";
import { toAnthropicTools } from "./anthropic-tools.js";
import { toGeminiTools } from "./gemini-tools.js";
import { toOpenAiResponsesTools } from "./openai-responses-tools.js";
import { toOpenAiTools } from "./openai-tools.js";
import {
  toAnthropicToolResult,
  toGeminiFunctionResponse,
  toOpenAiResponsesOutput,
  toOpenAiToolMessage,
} from "./tool-results.js";

// The real SDKs talk to a server on loopback, so their requests are those that a provider would get.

let folder: AdapterWorkspace;
let runtime: ToolRuntime;
let provider: LoopbackProvider;

beforeEach(async () => {
  folder = adapterWorkspace();
  runtime = await folder.open();
});
afterEach(async () => {
  await provider.close();
  await folder.dispose();
});

const READ = JSON.stringify({ path: "f.txt" });
const MISSING = JSON.stringify({ path: "none.txt" });

describe("S3.REG a whole turn through the provider's own client", () => {
  it("openai, chat completions in strict mode: null means an omitted value", async () => {
    const everything = { path: "f.txt", offset: null, limit: null, encoding: null, line_numbers: false };
    const chat = (message: object) => ({
      choices: [{ index: 0, message: { role: "assistant", ...message } }],
    });
    const call = {
      id: "c1",
      type: "function",
      function: { name: "read_file", arguments: JSON.stringify(everything) },
    };
    provider = await loopbackProvider([
      chat({ content: null, tool_calls: [call] }),
      chat({ content: "done" }),
    ]);
    const client = new OpenAI({ apiKey: "k", baseURL: provider.url, maxRetries: 0 });
    const tools = toOpenAiTools(runtime.tools(), { strict: true });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "go" }];
    const { choices } = await client.chat.completions.create({ model: "m", messages, tools });
    const message = choices[0]?.message as OpenAI.ChatCompletionMessage;
    const made = message.tool_calls?.[0] as OpenAI.ChatCompletionMessageFunctionToolCall;
    const schema = tools.find((tool) => tool.function.name === made.function.name)?.function;
    expect(schema?.strict).toBe(true);
    const result = await runtime.call(made.function.name, JSON.parse(made.function.arguments), {
      callId: made.id,
    });
    expect(result).toMatchObject({ ok: true, text: expect.stringMatching(/^old/m) });
    messages.push(message, toOpenAiToolMessage(result));
    await client.chat.completions.create({ model: "m", messages, tools });
    expect(provider.requests.map(({ path }) => path)).toEqual(["/chat/completions", "/chat/completions"]);
    expect(provider.requests[0]?.body.tools).toEqual(JSON.parse(JSON.stringify(tools)));
    expect(provider.requests[1]?.body.messages.at(-1)).toEqual({
      role: "tool",
      tool_call_id: "c1",
      content: result.text,
    });
  });

  it("strict mode produces only arguments that the strict schema accepts", async () => {
    provider = await loopbackProvider([]);
    for (const tool of toOpenAiTools(runtime.tools(), { strict: true, terminate: false })) {
      const { parameters, strict, name } = tool.function;
      if (strict !== true) continue;
      const properties = Object.keys(parameters.properties as object);
      expect(parameters.required, name).toEqual(properties);
      const given = Object.fromEntries(properties.map((property) => [property, null]));
      const known = runtime.tools().find((described) => described.name === name)?.examples[0]?.args ?? {};
      expect(compileSchema(parameters)({ ...given, ...known }), name).toEqual([]);
    }
  });

  it("openai, Responses", async () => {
    const call = { type: "function_call", id: "i1", call_id: "c1", name: "read_file", arguments: READ };
    const answer = (output: object[]) => ({ id: "r", object: "response", output });
    provider = await loopbackProvider([answer([call]), answer([])]);
    const client = new OpenAI({ apiKey: "k", baseURL: provider.url, maxRetries: 0 });
    const tools = toOpenAiResponsesTools(runtime.tools());
    const first = await client.responses.create({ model: "m", input: "go", tools });
    const made = first.output.find((item) => item.type === "function_call");
    if (made?.type !== "function_call") throw new Error("no call");
    const result = await runtime.call(made.name, JSON.parse(made.arguments), { callId: made.call_id });
    await client.responses.create({ model: "m", input: [made, toOpenAiResponsesOutput(result)], tools });
    expect(provider.requests[0]?.body.tools).toEqual(JSON.parse(JSON.stringify(tools)));
    expect(provider.requests[1]?.body.input.at(-1)).toEqual({
      type: "function_call_output",
      call_id: "c1",
      output: result.text,
    });
    expect(result.text).toContain("old");
  });

  it("anthropic, with a failed call marked as an error", async () => {
    const message = (content: object[]) => ({
      id: "m",
      type: "message",
      role: "assistant",
      content,
      usage: {},
    });
    const use = { type: "tool_use", id: "c1", name: "read_file", input: JSON.parse(MISSING) };
    provider = await loopbackProvider([message([use]), message([{ type: "text", text: "done" }])]);
    const client = new Anthropic({ apiKey: "k", baseURL: provider.url, maxRetries: 0 });
    const tools = toAnthropicTools(runtime.tools());
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "go" }];
    const first = await client.messages.create({ model: "m", max_tokens: 10, messages, tools });
    const made = first.content.find((block) => block.type === "tool_use");
    if (made?.type !== "tool_use") throw new Error("no call");
    const result = await runtime.call(made.name, made.input, { callId: made.id });
    messages.push({ role: "assistant", content: first.content });
    messages.push({ role: "user", content: [toAnthropicToolResult(result)] });
    await client.messages.create({ model: "m", max_tokens: 10, messages, tools });
    expect(provider.requests[0]?.body.tools).toEqual(JSON.parse(JSON.stringify(tools)));
    expect(provider.requests[1]?.body.messages.at(-1).content).toEqual([
      { type: "tool_result", tool_use_id: "c1", is_error: true, content: result.text },
    ]);
    expect(result.text).toContain("FILE_NOT_FOUND");
  });

  it("gemini", async () => {
    const content = (parts: object[]) => ({ candidates: [{ content: { role: "model", parts } }] });
    const functionCall = { id: "c1", name: "read_file", args: JSON.parse(READ) };
    provider = await loopbackProvider([content([{ functionCall }]), content([{ text: "done" }])]);
    const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: provider.url } });
    const tools = toGeminiTools(runtime.tools());
    const first = await client.models.generateContent({ model: "m", contents: "go", config: { tools } });
    const made = first.functionCalls?.[0];
    const result = await runtime.call(made?.name ?? "", made?.args, { callId: made?.id ?? "" });
    const contents = [
      { role: "model", parts: [{ functionCall }] },
      { role: "user", parts: [toGeminiFunctionResponse(result)] },
    ];
    const second = await client.models.generateContent({ model: "m", contents, config: { tools } });
    expect(second.text).toBe("done");
    expect(provider.requests[0]?.body.tools).toEqual(JSON.parse(JSON.stringify(tools)));
    expect(provider.requests[1]?.body.contents.at(-1).parts).toEqual([
      { functionResponse: { id: "c1", name: "read_file", response: { output: result.text } } },
    ]);
    expect(result.text).toContain("old");
  });
});

describe("images in a result", () => {
  const picture = {
    ok: true,
    tool: "read_file",
    callId: "c1",
    text: "a picture",
    value: {},
    content: [{ type: "image", mimeType: "image/png", data: "AAAA" }],
    changes: [],
    preview: false,
    warnings: [],
    durationMs: 1,
    terminate: false,
  } as const;

  it("are sent where the provider accepts them", async () => {
    provider = await loopbackProvider([]);
    expect(toOpenAiResponsesOutput(picture).output).toContainEqual({
      type: "input_image",
      image_url: "data:image/png;base64,AAAA",
      detail: "auto",
    });
    expect(toAnthropicToolResult(picture).content).toContainEqual({
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "AAAA" },
    });
    const bitmap = { ...picture, content: [{ type: "image", mimeType: "image/bmp", data: "AAAA" }] } as const;
    expect(toAnthropicToolResult(bitmap).content).toBe("a picture");
    expect(toGeminiFunctionResponse(picture).functionResponse.parts).toEqual([
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
    ]);
    expect(
      toGeminiFunctionResponse({ ...picture, ok: false, error: { code: "X", message: "" } }).functionResponse,
    ).toEqual({ id: "c1", name: "read_file", response: { error: "a picture" } });
  });
});
