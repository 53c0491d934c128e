/** Formats a duration for people: 38 ms, 3.4 s, 2m 26s. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_500) return `${(ms / 1_000).toFixed(ms < 9_950 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

export function between(from: string | undefined, to: string | undefined): number {
  if (from === undefined || to === undefined) return 0;
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

export function clock(at: string): string {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** With seconds, for what is compared with a log. */
export function exactClock(at: string): string {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** A round time on an axis: 30 s, 1m, 1m 30s, 2h. */
export function roundDuration(ms: number): string {
  return duration(ms)
    .replace(/ 0[sm]$/, "")
    .replace(/\.0 s$/, " s");
}

/** How long ago: 12 s, 3 min, 2 h, Fri. */
export function ago(at: string): string {
  const seconds = (Date.now() - Date.parse(at)) / 1_000;
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 24 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return new Date(at).toLocaleDateString([], { day: "numeric", month: "short" });
}

/** Formats dollars with enough digits for a cheap turn. */
export function money(dollars: number): string {
  if (dollars === 0) return "$0";
  return `$${dollars.toFixed(dollars < 0.1 ? 3 : 2)}`;
}

/** Returns the heading for a day in a list: Today, Yesterday, Last 7 days, or the month. */
export function dayOf(at: string): string {
  const then = new Date(at);
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  const days = Math.ceil((midnight.getTime() - then.getTime()) / 86_400_000);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days <= 7) return "Last 7 days";
  return then.toLocaleDateString([], { month: "long", year: "numeric" });
}

/** Formats the same for use in a sentence: 3 min ago, on Mar 10. */
export function since(at: string): string {
  return Date.now() - Date.parse(at) < 24 * 3_600_000 ? `${ago(at)} ago` : `on ${ago(at)}`;
}

export function count(value: number): string {
  return value < 1_000 ? String(value) : `${(value / 1_000).toFixed(1)}k`;
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString("en-US")} ${value === 1 ? one : many}`;
}
