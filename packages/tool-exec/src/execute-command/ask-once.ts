import type { CommandHost } from "@haft/core/capabilities";

/**
 * Wraps the host for one judgement of one command line: asks git each question once, and stops after 256 questions or
 * 20 s. A skipped question counts as unanswered. The next judgement asks again, so that a command is judged by the
 * state when it starts.
 */
export function askOnce(host: CommandHost): CommandHost {
  const answers = new Map<string, Promise<unknown>>();
  const until = performance.now() + MAX_MS;
  const once = <T>(question: readonly unknown[], ask: () => Promise<T>, unanswered: T): Promise<T> => {
    const key = JSON.stringify(question);
    const known = answers.get(key);
    if (known !== undefined) return known as Promise<T>;
    if (answers.size >= MAX_QUESTIONS || performance.now() > until) return Promise.resolve(unanswered);
    const answer = ask();
    answers.set(key, answer);
    return answer;
  };
  return {
    judgePath: (path, cwd) => host.judgePath(path, cwd),
    placeOf: (path, cwd) => host.placeOf(path, cwd),
    list: (folder) => host.list(folder),
    scripts: (folder) => host.scripts(folder),
    npmRegistries: () => host.npmRegistries(),
    canAsk: () => host.canAsk(),
    hasBox: () => host.hasBox(),
    gitIdentity: () => host.gitIdentity(),
    gitKeys: (cwd) => once(["keys", cwd], () => host.gitKeys(cwd), undefined),
    gitKinds: (names, cwd) => {
      const unknown = names.map(() => "unknown" as const);
      return once(["kinds", names, cwd], () => host.gitKinds(names, cwd), unknown);
    },
    gitLogNames: (args, cwd) => once(["log", args, cwd], () => host.gitLogNames(args, cwd), undefined),
    gitIsElsewhere: (cwd) => once(["elsewhere", cwd], () => host.gitIsElsewhere(cwd), true),
    gitTrackedNames: (cwd) => once(["tracked", cwd], () => host.gitTrackedNames(cwd), undefined),
    gitRemoteHosts: (cwd) => once(["remotes", cwd], () => host.gitRemoteHosts(cwd), []),
  };
}

const MAX_QUESTIONS = 256;
const MAX_MS = 20_000;
