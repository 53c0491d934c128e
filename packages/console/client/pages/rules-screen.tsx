import type { RulesInfo, UsedGrant } from "../../src/protocol.js";
import { plural, since } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { CopyButton, JsonWell } from "../parts/json-well.js";
import { ListSkeleton } from "../parts/list-skeleton.js";
import { prettyJson } from "../parts/pretty-json.js";
import { Problem } from "../parts/problem.js";
import { VisibleText } from "../parts/visible-text.js";
import { post, wordsOf } from "../state/api.js";
import { ExplainCall } from "./explain-call.js";
import { useLoaded } from "./use-loaded.js";

export function RulesScreen() {
  const { value, problem, load } = useLoaded<RulesInfo>("rules");
  const rules = value.value;
  const revoke = async (id: string) => {
    const failure = await post("revoke", { id }).then(() => undefined, wordsOf);
    await load();
    problem.value ??= failure;
  };
  return (
    <>
      <div class="run-head">
        <h1>Rules</h1>
      </div>
      <div class="scroll">
        <article class="page">
          <Problem text={problem.value} />
          {rules === undefined ? (
            <ListSkeleton />
          ) : (
            <>
              <Remembered grants={rules.grants} revoke={(id) => void revoke(id)} />
              <Suggested suggestion={rules.suggestion} />
              <ExplainCall />
              <Roles rules={rules} />
            </>
          )}
        </article>
      </div>
    </>
  );
}

interface RememberedProps {
  readonly grants: readonly UsedGrant[];
  revoke(id: string): void;
}

function Remembered({ grants, revoke }: RememberedProps) {
  return (
    <section aria-label="Remembered answers">
      <h2>Remembered answers</h2>
      {grants.length === 0 && (
        <p class="faint">No remembered answers. Choose “Always” in an approval to add one.</p>
      )}
      <ul class="grants">
        {grants.map((grant) => (
          <li key={grant.id}>
            <Icon name="rules" />
            <span class="grow">
              <VisibleText text={textOf(grant)} />
              <span class="sub">
                {grant.scope === "project" ? "always" : "for a run"}, role {grant.match.role}, from an
                approval {since(grant.createdAt)}, {usesOf(grant)}
              </span>
            </span>
            <button type="button" class="btn sm danger" onClick={() => revoke(grant.id)}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** "This exact call" is meaningless without the call. */
function textOf({ label, match, shown }: UsedGrant): string {
  return match.callDigest === undefined || shown === undefined
    ? label
    : `${label}: ${JSON.stringify(shown.args)}`;
}

function usesOf({ uses, lastUsedAt }: UsedGrant): string {
  if (uses === 0 || lastUsedAt === undefined) return "not used yet";
  return `used ${uses === 1 ? "once" : `${uses} times`}, last ${since(lastUsedAt)}`;
}

/** Suggests the fewest rules that would have allowed what people approved. */
function Suggested({
  suggestion: { rules, asked, covered },
}: {
  readonly suggestion: RulesInfo["suggestion"];
}) {
  if (rules.length === 0) return null;
  const text = prettyJson({ rules });
  return (
    <section aria-label="Suggested rules">
      <div class="sec-head">
        <h2>Suggested rules</h2>
        <span class="grow" />
        <CopyButton text={text} name="suggested rules" />
      </div>
      <p class="faint">
        {plural(rules.length, "rule")} would have covered {covered} of {plural(asked, "call")} that people
        approved, and nothing beyond them. To stop being asked, add what you agree with to{" "}
        <code>haft.config.json</code>.
      </p>
      <JsonWell text={text} label="Rules as configuration" />
    </section>
  );
}

function Roles({ rules }: { readonly rules: RulesInfo }) {
  return (
    <section aria-label="Roles">
      <h2>Roles</h2>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Table: Role">
        <table class="plain-table">
          <thead>
            <tr>
              <th>Role</th>
              <th>May</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries({ ...rules.roles, [rules.role.name]: rules.role }).map(([name, role]) => (
              <tr key={name}>
                <td>
                  <b>{name}</b> {name === rules.role.name && <span class="chip plain">in use here</span>}
                </td>
                <td class="faint">{(role.permissions ?? []).join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
