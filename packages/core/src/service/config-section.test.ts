import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MemoryWorkspace } from "../memory/memory-workspace.js";
import { createRuntime } from "../runtime/create-runtime.js";
import { s } from "../schema/schema-builder.js";
import { defineTool } from "../tool/define-tool.js";
import { configSection } from "./config-section.js";

const WEATHER = configSection("weather", z.object({ city: z.string(), days: z.number().default(3) }));
const Forecast = defineTool({
  name: "fp7_forecast",
  summary: "Forecasts.",
  input: s.object({}),
  inject: [WEATHER],
  run: async (_args, _context, { city, days }) => `${days} days in ${city}`,
});
const open = (packConfig?: Record<string, unknown>) =>
  createRuntime({
    workspace: new MemoryWorkspace(),
    tools: [Forecast],
    ...(packConfig && { packConfig }),
  });

describe("FP7 a pack declares its section of the configuration", () => {
  it("gets the parsed value, defaults included", async () => {
    const runtime = await open({ weather: { city: "Oslo" } });
    expect(await runtime.call(Forecast, {})).toMatchObject({ ok: true, value: "3 days in Oslo" });
  });

  it.each([
    ["a missing key", undefined, /packConfig\.weather: .*city/],
    ["a wrong type", { weather: { city: 5 } }, /packConfig\.weather: city/],
    ["a misspelt key", { weather: { citty: "Oslo" } }, /"citty" is not a known key\. Did you mean "city"\?/],
    ["null instead of a section", { weather: null }, /packConfig\.weather: /],
    ["a misspelt section", { wether: {} }, /"wether" is not a known key\. Did you mean "weather"\?/],
  ])("is checked when the runtime starts: %s", async (_what, packConfig, message) => {
    await expect(open(packConfig)).rejects.toMatchObject({ code: "CONFIG_INVALID", message });
  });
});
