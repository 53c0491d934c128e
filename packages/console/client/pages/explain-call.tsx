import type { Explanation } from "@haft/core";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { Problem } from "../parts/problem.js";
import { VisibleText } from "../parts/visible-text.js";
import { post, wordsOf } from "../state/api.js";
import { explained } from "../state/explained.js";
import { tools } from "../state/tools.js";

/** Explains how any call would be decided, and why, without making it. */
export function ExplainCall() {
  const tool = useSignal(explained.peek()?.tool ?? "");
  const args = useSignal(JSON.stringify(explained.peek()?.args ?? {}));
  const answer = useSignal<Explanation | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const explain = async () => {
    problem.value = undefined;
    try {
      const name = tool.value || tools.value?.[0]?.name;
      answer.value = await post<Explanation>("preview", { tool: name, args: JSON.parse(args.value) });
    } catch (thrown) {
      problem.value = wordsOf(thrown);
    }
  };
  useEffect(() => {
    if (explained.peek() !== undefined) void explain();
    explained.value = undefined;
  }, []);
  return (
    <section aria-label="Explain a call">
      <h2>What would happen if</h2>
      <div class="explain">
        <label class="field">
          <span class="flabel">tool</span>
          <select
            class="input"
            value={tool.value || tools.value?.[0]?.name}
            onChange={({ currentTarget }) => (tool.value = currentTarget.value)}
          >
            {(tools.value ?? []).map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label class="field grow">
          <span class="flabel">arguments</span>
          <input
            class="input code"
            value={args.value}
            onInput={({ currentTarget }) => (args.value = currentTarget.value)}
          />
        </label>
        <button type="button" class="btn" onClick={() => void explain()}>
          Explain
        </button>
      </div>
      <Problem text={problem.value} />
      {answer.value !== undefined && <Explained answer={answer.value} />}
    </section>
  );
}

const EFFECTS = { allow: "ok", box: "ok", ask: "waiting", deny: "failed" } as const;

function Explained({ answer }: { readonly answer: Explanation }) {
  return (
    <div class={`callout is-${EFFECTS[answer.effect]}`} role="status">
      <Icon name={EFFECTS[answer.effect]} />
      <div>
        <b>{answer.effect}</b>, decided by {answer.decidedBy}
        <ul class="why">
          {answer.steps.map((step) => (
            <li key={step.check}>
              <Icon name={step.passed ? "check" : "x"} />
              <span>
                {step.check}: <VisibleText text={step.because} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
