import { isSignedOut } from "../state/api.js";
import { allPages } from "../state/pages.js";
import { go, route } from "../state/route.js";
import { isConnected } from "../state/stream.js";
import { switchTheme } from "../state/theme.js";
import { runs, view, workspace, workspaces } from "../state/workspace.js";
import { openPalette } from "./command-palette.js";
import { Icon } from "./icon.js";
import { KeyHint } from "./key-hint.js";
import { Link } from "./link.js";
import { VisibleText } from "./visible-text.js";

export function TopBar() {
  const { screen, item } = route.value;
  const task = runs.value?.find(({ runId }) => runId === view.value?.runId)?.task.split("\n")[0];
  const isRun = screen === "run" && item !== undefined;
  return (
    <header class="top">
      {item !== undefined && (
        <Link class="btn quiet icon back" screen={screen} label="Back to the list">
          <Icon name="chev" />
        </Link>
      )}
      <Link class="brand" screen="run" label="Haft, new run">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <rect x="3.5" y="2" width="3.6" height="16" rx="1.2" fill="currentColor" />
          <path
            d="M7.1 11.6c0-2.3 1.3-3.7 3.2-3.7 1.8 0 2.7 1.1 2.7 3.1v5.8a1.2 1.2 0 0 0 1.2 1.2h1.2a1.2 1.2 0 0 0 1.2-1.2v-6.3c0-3.500-1.900-5.700-5-5.700-2 0-3.600.9-4.500 2.400z"
            fill="currentColor"
          />
        </svg>
      </Link>
      <nav class="crumbs" aria-label="Where you are">
        <WorkspaceChoice />
        <span class="sep" aria-hidden="true">
          /
        </span>
        {isRun ? (
          <>
            <Link class="crumb" screen="history">
              Runs
            </Link>
            <span class="sep" aria-hidden="true">
              /
            </span>
            <span class="crumb cut" aria-current="page">
              <VisibleText text={task ?? "…"} />
            </span>
          </>
        ) : (
          <span class="crumb cut" aria-current="page">
            {screen === "run" ? "New run" : allPages().find((page) => page.screen === screen)?.name}
          </span>
        )}
      </nav>
      <span class="grow" />
      {!isConnected.value && (
        <span class="chip is-failed" role="status">
          {isSignedOut.value
            ? "Signed out. Open the link that haft console printed"
            : "Connection lost. Reconnecting"}
        </span>
      )}
      <button type="button" class="palette" onClick={openPalette}>
        <Icon name="search" class="i-s" />
        <span class="grow cut">Go to file, run or command</span>
        <KeyHint keys="Mod K" />
      </button>
      <button type="button" class="btn quiet icon find" aria-label="Go to" onClick={openPalette}>
        <Icon name="search" />
      </button>
      <button
        type="button"
        class="btn quiet icon"
        aria-label="Light or dark"
        title="Light or dark"
        onClick={switchTheme}
      >
        <Icon name="theme" />
      </button>
    </header>
  );
}

function WorkspaceChoice() {
  const all = workspaces.value ?? [];
  if (all.length < 2)
    return (
      <span class="crumb" title={workspace.value?.root}>
        <Icon name="folder" class="i-s" />
        {workspace.value?.name ?? "…"}
      </span>
    );
  return (
    <label class="crumb" title={workspace.value?.root}>
      <Icon name="folder" class="i-s" />
      <span class="sr">Workspace</span>
      <select
        class="plain-select"
        value={workspace.value?.id}
        onChange={({ currentTarget }) => go({ workspace: currentTarget.value, screen: "run" })}
      >
        {all.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
