import { isAbsolute, relative } from "node:path"
import type { ToolPart } from "@pawl/core/record"
import { plainLine } from "@pawl/plain-text"

/** Renders the subject of a call in one line: the tool's title, or the most important argument. */
export function toolSubject({ state }: ToolPart, directory: string): string {
  const input: Readonly<Record<string, unknown>> = state.input
  // The pattern is more informative than the path.
  if (typeof input["pattern"] === "string") return plainLine(input["pattern"])
  if ("title" in state && state.title) return plainLine(state.title)
  const path = [input["filePath"], input["path"]].find((value) => typeof value === "string")
  const other = [input["command"], input["url"], input["description"]].find((value) => typeof value === "string")
  return plainLine(other ?? (path === undefined ? "" : shortPath(path, directory)))
}

/** Returns the path relative to the directory if that is shorter. */
export function shortPath(path: string, directory: string): string {
  if (!isAbsolute(path)) return path
  const short = relative(directory, path)
  return short !== "" && short.length < path.length ? short : path
}
