interface Topic {
  readonly what: string;
  /** At most 24 rows of 80 columns. */
  readonly text: string;
}

export const TOPICS: Readonly<Record<string, Topic>> = {
  models: {
    what: "choose a model and its server",
    text: `
Any OpenAI-compatible server works without another package:
  haft run "TASK" --base-url http://127.0.0.1:11434/v1 --model qwen3
Other providers need the AI SDK. Name them as provider/model:
  npm install ai @ai-sdk/anthropic     (on Node 20: ai@6 @ai-sdk/anthropic@3)
  haft run "TASK" --model anthropic/claude-sonnet-5-5

Option            Environment            haft.config.json
--model           HAFT_MODEL             model
--base-url        HAFT_BASE_URL          baseUrl
--effort          HAFT_EFFORT            effort
--context-tokens  HAFT_CONTEXT_TOKENS    contextTokens
                                         prices

The key comes from HAFT_API_KEY or the provider's own variable (OPENAI_API_KEY,
ANTHROPIC_API_KEY, …), never from a file. With a base URL, the model id is sent
unchanged.`,
  },
  sessions: {
    what: "talk, steer, interrupt, continue, undo",
    text: `
haft                          start a session in this folder
haft run "TASK"               start it with a task
haft run - < task.txt         one task from standard input, plain output
haft runs                     list sessions
haft runs show ID             print one
haft run --continue [ID]      continue one (default: the newest)
haft undo --run ID            undo everything it changed (try --dry-run)

In a session, type to steer. Esc interrupts, Ctrl-C twice leaves, /help lists
the commands. Shift-Tab changes the mode: ask, accept edits, plan only.
Exit codes: 0 done, 1 failed or limit reached, 2 wrong usage, 130 interrupted.`,
  },
  limits: {
    what: "what ends a run, and how to change it",
    text: `
Option           haft.config.json    Default
--max-steps      run.maxSteps        30 model turns
--max-minutes    run.maxMinutes      15 minutes of work; waiting does not count
--max-tokens     run.maxTokens       none
--max-cost       run.maxCost         none; needs prices
--retry-minutes  run.retryMinutes    10 minutes of retries for a failing model

When a session reaches a limit, press Enter to continue. Without a terminal the
run exits with code 1; haft run --continue continues it.
If the context size is known (haft help models), a run first drops old results
and then summarizes before the context is full.`,
  },
  approvals: {
    what: "who decides what a model may do",
    text: `
--approve ask    ask about calls that need approval (default on a terminal)
--approve none   refuse such calls (default without a terminal)
--approve all    approve them all

In a session Shift-Tab or /approve switches between ask, edits (accept file
edits) and plan (read only, answer with a plan).
haft policy explain TOOL JSON   show what would decide a call, and why
haft policy grants              list remembered answers
haft trust                      let this configuration grant more`,
  },
  mcp: {
    what: "use the tools from another agent",
    text: `
haft mcp serves the tools over MCP on standard input and output.
  haft mcp install --client claude-code --write
  haft mcp install --client cursor|vscode|zed|codex|claude-desktop
  haft mcp --http 8080            Streamable HTTP on 127.0.0.1, with a token

Without --workspace the client's first root is the workspace; over HTTP only
with HAFT_MCP_TOKEN. Otherwise a token is generated and printed.

--structured auto|always|never   whether results carry structured content.
With auto, clients that hide the text from the model (Claude Code, Codex) get
text and images only; all others get both.`,
  },
  editors: {
    what: "use the agent in an editor",
    text: `
haft acp speaks the Agent Client Protocol: the editor shows sessions, diffs
and permission questions.
  haft acp install --client zed          Zed: ~/.config/zed/settings.json
  haft acp install --client jetbrains    JetBrains IDEs: ~/.jetbrains/acp.json

The editor starts haft acp with its own environment: put the model and its key
there, or into "env" of the entry (haft help models names the variables).
Sessions are those of haft run: haft runs lists them, haft undo --run ID undoes
one, and the editor can load them. Modes: ask, accept edits, plan only.
If the editor shares its buffers, a file with unsaved changes is read from the
editor and not changed until you save it.`,
  },
  instructions: {
    what: "what a model is told about the project",
    text: `
AGENTS.md and CLAUDE.md of the workspace root, and of the folders of files that
the session has read or changed, are part of the system prompt. So are folder,
system, date and git branch. Skills (folders with a SKILL.md in .agents/skills,
.claude/skills, .haft/skills or skills) are listed by name and read on demand.
In a workspace you have not trusted (haft trust), instructions are marked as
untrusted.
  haft prompt --style compact           print the prompt
  haft prompt --stats                   its size in tokens`,
  },
  team: {
    what: "agents, workers and people on several machines",
    text: `
A PostgreSQL database holds calls, approvals and leases. Its address is --store
or HAFT_STORE; the packages are @haft/worker and @haft/store-postgres.
  haft store migrate                        create or update the tables
  haft store member ann --rights approve    name who may approve
  haft worker --root /srv/workspaces        execute calls; each folder in it is
                                            a workspace (--config sets rules)
  haft console --store URL                  approve, and watch workers
  haft store status                         workers, leases, queue, quotas
  haft store prune --days 30                delete calls settled long ago
  haft audit --store URL --verify           check the audit log

SIGTERM drains a worker: running calls finish, the others go to other workers.
In a program, remoteRuntime of @haft/worker/remote makes the calls.`,
  },
};
