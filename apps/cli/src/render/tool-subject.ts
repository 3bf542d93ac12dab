import { isAbsolute, relative } from "node:path"
import type { ToolPart } from "@pawl/core"
import { plainLine } from "./plain.ts"

/** What a call is about in one line: the tool's own title, else the argument that says most. */
export function toolSubject({ state }: ToolPart, directory: string): string {
  const input: Readonly<Record<string, unknown>> = state.input
  // The place that was searched says less than what was searched for.
  if (typeof input["pattern"] === "string") return plainLine(input["pattern"])
  if ("title" in state && state.title) return plainLine(state.title)
  const path = [input["filePath"], input["path"]].find((value) => typeof value === "string")
  const other = [input["command"], input["url"], input["description"]].find((value) => typeof value === "string")
  return plainLine(other ?? (path === undefined ? "" : shortPath(path, directory)))
}

/** Relative to the directory where that is shorter. */
export function shortPath(path: string, directory: string): string {
  if (!isAbsolute(path)) return path
  const short = relative(directory, path)
  return short !== "" && short.length < path.length ? short : path
}
