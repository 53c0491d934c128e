import { defineTool, s, ToolError } from "@haft/core";
import { cancelledForNow } from "@haft/core/kernel";
import { createTestRuntime } from "@haft/testing";
import {
  context,
  metrics,
  propagation,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LocalContexts } from "./fixtures/local-contexts.js";
import { activeTrace, tracedRuntime } from "./index.js";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

/** Follows @opentelemetry/core, without the parts that this test does not need. */
const W3C: TextMapPropagator<Record<string, string>> = {
  fields: () => ["traceparent"],
  inject: (from, carrier) => {
    const span = trace.getSpanContext(from);
    if (span !== undefined) carrier.traceparent = `00-${span.traceId}-${span.spanId}-01`;
  },
  extract: (to, carrier) => {
    const [, traceId = "", spanId = ""] = carrier.traceparent?.split("-") ?? [];
    return trace.setSpanContext(to, { traceId, spanId, traceFlags: 1, isRemote: true });
  },
};

const greets = defineTool({
  name: "greets",
  summary: "Greets.",
  permissions: [],
  input: s.object({ name: s.string("Name") }),
  run: async ({ name }) => {
    if (name === "") throw new ToolError("NO_NAME", "A name is needed");
    return { text: `Hello ${name}` };
  },
});
const asks = defineTool({
  name: "asks",
  summary: "Asks first.",
  permissions: ["NetworkAccess"],
  approval: "confirm",
  input: s.object({}),
  run: async () => ({}),
});

describe("telemetry of calls", () => {
  const spans = new InMemorySpanExporter();
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });

  beforeAll(() => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
    );
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  });
  afterEach(() => spans.reset());
  afterAll(() => {
    trace.disable();
    metrics.disable();
  });

  it("FP5 a call with trace context is a child of its caller, and so are the spans it starts", async () => {
    propagation.setGlobalPropagator(W3C);
    context.setGlobalContextManager(new LocalContexts());
    try {
      const carriers: unknown[] = [];
      const tells = defineTool({
        name: "tells",
        summary: "Tells where it runs.",
        permissions: [],
        input: s.object({}),
        run: async () => {
          carriers.push(activeTrace());
          return {};
        },
      });
      const runtime = tracedRuntime(createTestRuntime({ tools: [tells] }));
      await runtime.call("tells", {}, { trace: { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` } });
      const [span] = spans.getFinishedSpans();
      expect(span?.spanContext().traceId).toBe(TRACE_ID);
      expect(span?.parentSpanContext?.spanId).toBe("b7ad6b7169203331");
      expect(carriers).toEqual([{ traceparent: `00-${TRACE_ID}-${span?.spanContext().spanId}-01` }]);
      expect(activeTrace()).toBeUndefined();
    } finally {
      propagation.disable();
      context.disable();
    }
  });

  it("FP5 a call is an execute_tool span with tool, call id and outcome, and no content", async () => {
    const runtime = tracedRuntime(
      createTestRuntime({ tools: [greets, asks], approver: async () => ({ approved: true }) }),
    );
    await runtime.call("greets", { name: "Ada" }, { callId: "c1" });
    await runtime.call("greets", { name: "" });
    await runtime.call("asks", {});
    const [first, second, third] = spans.getFinishedSpans();
    expect(first).toMatchObject({ name: "execute_tool greets" });
    expect(first?.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "greets",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.description": "Greets.",
      "gen_ai.tool.call.id": "c1",
    });
    expect(second?.status.code).toBe(SpanStatusCode.ERROR);
    expect(second?.attributes["error.type"]).toBe("NO_NAME");
    expect(third?.attributes["haft.approval.wait_ms"]).toEqual(expect.any(Number));
    await reader.forceFlush();
    const found = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    expect(found.map(({ descriptor }) => `${descriptor.name} in ${descriptor.unit}`).sort()).toEqual([
      "gen_ai.execute_tool.duration in s",
      "haft.tool.approval.wait in s",
    ]);
    const durations = found.find(({ descriptor }) => descriptor.name === "gen_ai.execute_tool.duration");
    expect(durations?.dataPoints.map(({ attributes }) => attributes)).toContainEqual({
      "gen_ai.tool.name": "greets",
      "gen_ai.tool.type": "function",
      "error.type": "NO_NAME",
    });
  });

  it("FP5 a call that is suspended until its approval has not failed", async () => {
    const waiting = new AbortController();
    const runtime = tracedRuntime(
      createTestRuntime({ tools: [asks], approver: () => new Promise(() => {}) }),
    );
    runtime.watch(({ type }) => {
      if (type === "approval-requested") waiting.abort(cancelledForNow("The call waits for approval"));
    });
    await runtime.call("asks", {}, { callId: "c1", signal: waiting.signal });
    const [span] = spans.getFinishedSpans();
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
    expect(span?.attributes).toMatchObject({ "gen_ai.tool.call.id": "c1", "haft.approval.waiting": true });
    expect(span?.attributes).not.toHaveProperty("error.type");
  });

  it.each([
    () => {
      throw new Error("no content");
    },
    () => 5n,
    (value: unknown) => ({
      value,
      get broken() {
        throw new Error("unreadable");
      },
    }),
  ])("FP5 a function for content that fails costs the content, never the result", async (content) => {
    const runtime = tracedRuntime(createTestRuntime({ tools: [greets] }), { content });
    expect(await runtime.call("greets", { name: "Ada" }, { callId: "c1" })).toMatchObject({ ok: true });
    const [span] = spans.getFinishedSpans();
    expect(span?.attributes).toMatchObject({ "gen_ai.tool.call.id": "c1" });
    expect(JSON.stringify(span?.attributes)).not.toContain("Ada");
  });

  it("FP5 unknown tool names create no series of their own, however many and long they are", async () => {
    const runtime = tracedRuntime(createTestRuntime({ tools: [greets] }));
    for (const name of ["x".repeat(100_000), "a\u0000b", "invented_1", "invented_2"])
      await runtime.call(name, {});
    expect(new Set(spans.getFinishedSpans().map(({ name }) => name))).toEqual(
      new Set(["execute_tool _OTHER"]),
    );
    for (const { attributes } of spans.getFinishedSpans())
      expect(String(attributes["gen_ai.tool.name"]).length).toBeLessThanOrEqual(200);
    await reader.forceFlush();
    const names = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics: found }) => found))
      .flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes["gen_ai.tool.name"]));
    expect(names).toContain("_OTHER");
    expect(names).not.toContain("invented_1");
  });

  it("FP5 content is recorded only through the function that redacts it", async () => {
    const runtime = tracedRuntime(createTestRuntime({ tools: [greets] }), {
      content: (value) => JSON.parse(JSON.stringify(value).replaceAll("Ada", () => "***")),
    });
    await runtime.call("greets", { name: "Ada" });
    const [span] = spans.getFinishedSpans();
    expect(span?.attributes["gen_ai.tool.call.arguments"]).toBe('{"name":"***"}');
    expect(span?.attributes["gen_ai.tool.call.result"]).toContain("***");
    expect(JSON.stringify(span?.attributes)).not.toContain("Ada");
  });

  it("FP5 unredacted content is recorded without credentials", async () => {
    const runtime = tracedRuntime(createTestRuntime({ tools: [greets] }), { content: (value) => value });
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    await runtime.call("greets", { name: `Ada with ${token}` });
    const [span] = spans.getFinishedSpans();
    expect(span?.attributes["gen_ai.tool.call.arguments"]).toContain("Ada");
    expect(JSON.stringify(span?.attributes)).not.toContain(token);
  });
});
