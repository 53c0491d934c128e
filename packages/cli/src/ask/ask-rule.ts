import { markValue } from "@haft/text";
import { wrappedLines } from "../run/styled-rows.js";
import { type Asking, type QuestionParts, QuestionScreen, type QuestionView } from "./question-screen.js";

/** A rule that would answer the same question in the future. */
interface OfferedRule {
  readonly label: string;
  readonly scope: "session" | "project";
}

/** Shows the exact rule and asks whether to save it. Anything but a clear yes returns to the question. */
export async function askRule(rule: OfferedRule, parts: QuestionParts, asking: Asking): Promise<boolean> {
  const screen = new QuestionScreen({
    ...parts,
    isApart: false,
    view: (columns) => ruleView(rule, columns, parts.view(columns)),
  });
  screen.show(() => UNSEEN);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const typed = await screen.ask(() => (screen.isSeen ? SEEN : UNSEEN), asking);
    if (typed === "y" || typed === "yes") {
      if (screen.isSeen) return true;
      await screen.view(asking);
    } else if (typed === "v") await screen.view(asking);
    else return false;
  }
  return false;
}

const MAX_ATTEMPTS = 5;
const SEEN = ["y = save it and say yes · n = back"];
const UNSEEN = ["v = view the rule · n = back"];

function ruleView({ label, scope }: OfferedRule, columns: number, { verdict }: QuestionView): QuestionView {
  const until = scope === "session" ? "until this session ends" : "in this project, until haft policy revoke";
  return {
    title: "rule",
    head: wrappedLines(`Allow this without asking ${until}:`, columns),
    content: markValue(label, { columns }),
    verdict,
  };
}
