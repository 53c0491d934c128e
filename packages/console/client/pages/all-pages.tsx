import { ApprovalsScreen } from "../approvals/approvals-screen.js";
import { FileTree } from "../files/file-tree.js";
import { FilesScreen, lastFile } from "../files/files-screen.js";
import { HistoryScreen } from "../history/history-screen.js";
import { RunList } from "../history/run-list.js";
import { SessionScreen } from "../session/session-screen.js";
import { addPage, type Page } from "../state/pages.js";
import { teamApprovals } from "../state/team.js";
import { approvals, view } from "../state/workspace.js";
import { AuditScreen } from "./audit-screen.js";
import { RulesScreen } from "./rules-screen.js";
import { TeamScreen } from "./team-screen.js";
import { ToolsScreen } from "./tools-screen.js";

/** Every screen of the console, in the order of the rail. Add a new screen here. */
const PAGES: readonly Page[] = [
  {
    screen: "run",
    name: "Runs",
    icon: "runs",
    item: () => view.value?.runId,
    side: () => <FileTree />,
    main: () => <SessionScreen />,
  },
  {
    screen: "approvals",
    name: "Approvals",
    icon: "inbox",
    waiting: () => approvals.value?.length ?? 0,
    main: () => <ApprovalsScreen />,
  },
  {
    screen: "files",
    name: "Files",
    icon: "folder",
    item: () => lastFile.value,
    side: () => <FileTree />,
    main: () => <FilesScreen />,
  },
  {
    screen: "history",
    name: "History",
    icon: "history",
    item: () => view.value?.runId,
    side: () => <RunList />,
    main: () => <HistoryScreen />,
  },
  { screen: "tools", name: "Tools", icon: "tools", main: () => <ToolsScreen /> },
  { screen: "rules", name: "Rules", icon: "rules", main: () => <RulesScreen /> },
  {
    screen: "team",
    name: "Team",
    icon: "team",
    waiting: () => teamApprovals.value.length,
    main: () => <TeamScreen />,
  },
  { screen: "audit", name: "Audit", icon: "audit", main: () => <AuditScreen /> },
];

export function registerPages(): void {
  for (const page of PAGES) addPage(page);
}
