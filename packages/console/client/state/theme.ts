import { signal } from "@preact/signals";

type Theme = "system" | "light" | "dark";

const theme = signal<Theme>("system");

export function startTheme(): void {
  const kept = localStorage.getItem("haft-theme");
  if (kept === "light" || kept === "dark") use(kept);
}

/** Switches between light and dark. Starts with the system's theme. */
export function switchTheme(): void {
  const isDark =
    theme.value === "dark" ||
    (theme.value === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  use(isDark ? "light" : "dark");
}

function use(next: Theme): void {
  theme.value = next;
  document.documentElement.dataset.theme = next;
  localStorage.setItem("haft-theme", next);
}
