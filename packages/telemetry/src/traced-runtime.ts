import { redactStrings, type ToolResult, type ToolRuntime, type WrappedCall, wrapRuntime } from "@haft/core";
import { keepsApproval } from "@haft/core/kernel";
import { redactShapes } from "@haft/text";
import {
  type Context,
  context,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { ApprovalWaits } from "./approval-waits.js";

export interface TelemetryOptions {
  /**
   * Records arguments and results in spans, as this function returns them, without known shapes of credentials. They
   * may hold file contents and other secrets: redact those here. Default: neither is recorded.
   */
  content?(value: unknown): unknown;
}

/**
 * Returns the runtime with an `execute_tool` span for every call, in the conventions of OpenTelemetry for generative
 * AI, and two histograms: how long calls took, and how long they waited for approval. Reports to the providers that the
 * program has registered; without any, it costs next to nothing.
 */
export function tracedRuntime<R extends ToolRuntime>(runtime: R, options: TelemetryOptions = {}): R {
  const tracer = trace.getTracer("@haft/telemetry");
  const { durations, waited } = histograms();
  const waits = new ApprovalWaits(runtime);
  const summaries = new ToolSummaries(runtime);
  return wrapRuntime(runtime, async (call, next) => {
    const { trace: carried } = call.options;
    const caller: Context = carried ? propagation.extract(context.active(), carried) : context.active();
    const summary = summaries.of(call.tool);
    // A model can invent any number of names, of any length.
    const known = summary === undefined ? UNKNOWN_TOOL : call.tool;
    const started = { kind: SpanKind.INTERNAL, attributes: attributesOf(call, summary) };
    const span = tracer.startSpan(`execute_tool ${known}`, started, caller);
    const startedAt = performance.now();
    const inside: Context = trace.setSpan(caller, span);
    try {
      noteArguments(span, call, options);
      const result = await context.with(inside, next);
      const waitedMs = waits.take(result.callId);
      if (!result.ok && keepsApproval(call.options.signal?.reason)) {
        // A worker has suspended it until it is approved; a later span covers its execution.
        span.setAttributes({ "gen_ai.tool.call.id": result.callId, "haft.approval.waiting": true });
        return result;
      }
      if (waitedMs !== undefined) {
        span.setAttribute("haft.approval.wait_ms", Math.round(waitedMs));
        waited.record(waitedMs / 1_000, { "gen_ai.tool.name": known });
      }
      noteResult(span, result, options);
      durations.record((performance.now() - startedAt) / 1_000, {
        "gen_ai.tool.name": known,
        "gen_ai.tool.type": "function",
        ...(!result.ok && { "error.type": result.error.code }),
      });
      return result;
    } finally {
      span.end();
    }
  });
}

function histograms() {
  const meter = metrics.getMeter("@haft/telemetry");
  return {
    durations: meter.createHistogram("gen_ai.execute_tool.duration", {
      unit: "s",
      description: "Duration of a tool execution",
      advice: { explicitBucketBoundaries: DURATION_BUCKETS },
    }),
    waited: meter.createHistogram("haft.tool.approval.wait", {
      unit: "s",
      description: "Wait for approval",
      advice: { explicitBucketBoundaries: WAIT_BUCKETS },
    }),
  };
}

function attributesOf({ tool }: WrappedCall, summary: string | undefined) {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool.slice(0, MAX_NAME_CHARS),
    "gen_ai.tool.type": "function",
    ...(summary !== undefined && { "gen_ai.tool.description": summary }),
  };
}

/**
 * Returns the trace context of the running code, for `remoteRuntime({ trace: activeTrace })`: the spans of a worker
 * become children of the span that made the call. Undefined without a propagator or a span.
 */
export function activeTrace(): Readonly<Record<string, string>> | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return Object.keys(carrier).length === 0 ? undefined : carrier;
}

function noteArguments(span: Span, call: WrappedCall, options: TelemetryOptions): void {
  if (span.isRecording()) noteContent(span, { "gen_ai.tool.call.arguments": call.args }, options);
}

/** The host's function may fail, and arguments need not be JSON. Neither may affect the result of the call. */
function noteContent(span: Span, values: Record<string, unknown>, { content }: TelemetryOptions): void {
  if (content === undefined) return;
  try {
    for (const [name, value] of Object.entries(values)) span.setAttribute(name, textOf(content(value)));
  } catch {
    // Recorded without its content.
  }
}

function noteResult(span: Span, result: ToolResult, options: TelemetryOptions): void {
  if (!span.isRecording()) return;
  span.setAttribute("gen_ai.tool.call.id", result.callId);
  noteContent(span, { "gen_ai.tool.call.result": result.text }, options);
  if (result.ok) return;
  const { code } = result.error;
  span.setAttribute("error.type", code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

function textOf(content: unknown): string {
  return JSON.stringify(withoutCredentials(content)) ?? "";
}

const withoutCredentials = redactStrings(redactShapes);

/** The value that OpenTelemetry's conventions define for unknown values. */
const UNKNOWN_TOOL = "_OTHER";
const MAX_NAME_CHARS = 200;

/** The boundaries that OpenTelemetry's conventions define for durations of generative AI. */
const DURATION_BUCKETS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
/** From an immediate answer to one after a weekend. */
const WAIT_BUCKETS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 259_200];

/** The summaries of a runtime's tools, by name. */
class ToolSummaries {
  readonly #runtime: Pick<ToolRuntime, "tools">;
  #byName: ReadonlyMap<string, string> | undefined;

  constructor(runtime: Pick<ToolRuntime, "tools" | "onToolsChange">) {
    this.#runtime = runtime;
    runtime.onToolsChange(() => {
      this.#byName = undefined;
    });
  }

  /** Undefined for a tool that is not offered. */
  of(tool: string): string | undefined {
    this.#byName ??= new Map(this.#runtime.tools().map(({ name, summary }) => [name, summary]));
    return this.#byName.get(tool);
  }
}
