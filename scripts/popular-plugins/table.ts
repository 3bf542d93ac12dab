import type { Tried } from "./try-plugin.ts"

const HEAD = ["plugin", "version", "result", "hooks", "calls", "tools", "ready after", "what fails"]

/** Markdown, as `docs/from-opencode.md` has it. */
export function table(all: readonly Tried[]): string {
  const rows = [HEAD, HEAD.map(() => "---"), ...all.map(toCells)]
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

function toCells({ name, version = "", outcome, hooks, calls, tools, loadMs, startMs, errors }: Tried): string[] {
  const failing = errors.map((error) => error.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")).join("; ")
  const counts = [hooks.length, calls, tools].map(String)
  return [name, version, outcome, ...counts, time(loadMs, startMs), failing]
}

function time(loadMs: number | undefined, startMs: number | undefined): string {
  return loadMs === undefined || startMs === undefined ? "" : `${loadMs + startMs} ms`
}
