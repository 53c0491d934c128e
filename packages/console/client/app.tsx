import type { JSX } from "preact";
import { ApprovalDialog } from "./approvals/approval-dialog.js";
import { FileChanges } from "./files/file-changes.js";
import { UndoPane } from "./history/undo-pane.js";
import { CommandPalette } from "./parts/command-palette.js";
import { KeysDialog } from "./parts/keys-dialog.js";
import { Rail } from "./parts/rail.js";
import { Announcer, Toast } from "./parts/toast.js";
import { TopBar } from "./parts/top-bar.js";
import { CallToolDialog } from "./session/call-tool-dialog.js";
import { Inspector } from "./session/inspector.js";
import { isInspecting, isSideFolded } from "./state/inspected.js";
import "./state/keyboard.js";
import { allPages } from "./state/pages.js";
import { route } from "./state/route.js";
import { isUndoOf } from "./state/undoing.js";
import { view } from "./state/workspace.js";
import { TrustBanner, TrustDialog } from "./trust/trust-dialog.js";

export function App() {
  const { screen, item } = route.value;
  const isUndoing = isUndoOf(view.value?.runId) && (screen === "run" || screen === "history");
  const inspector = isUndoing ? <UndoPane /> : isInspecting.value ? inspectorOf(screen, item) : undefined;
  const page = allPages().find((each) => each.screen === screen) ?? allPages()[0];
  const side = isSideFolded.value ? undefined : page?.side;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div
        class={`app ${inspector === undefined ? "no-inspect" : ""} ${side === undefined ? "no-side" : ""}`}
      >
        <TopBar />
        <Rail />
        {side?.()}
        <main class="main" id="main">
          <TrustBanner />
          {page?.main()}
        </main>
        {inspector}
      </div>
      <CallToolDialog />
      <ApprovalDialog />
      <TrustDialog />
      <CommandPalette />
      <KeysDialog />
      <Toast />
      <Announcer />
    </>
  );
}

function inspectorOf(screen: string, item: string | undefined): JSX.Element | undefined {
  if (screen === "run" && view.value !== undefined) return <Inspector />;
  return screen === "files" && item !== undefined ? <FileChanges path={item} /> : undefined;
}
