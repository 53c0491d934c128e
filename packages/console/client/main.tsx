import { render } from "preact";
import "./styles/fonts.css";
import "./styles/index.css";
import { App } from "./app.js";
import { registerPages } from "./pages/all-pages.js";
import { startNotifying } from "./state/notify.js";
import { startTeam } from "./state/team.js";
import { startTheme } from "./state/theme.js";
import { openConsole } from "./state/workspace.js";

registerPages();
startTheme();
startNotifying();
startTeam();
void openConsole();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
