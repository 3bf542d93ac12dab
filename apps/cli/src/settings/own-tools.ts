import type { Tool } from "@pawl/core"
import type { DefinedSettings } from "./definitions.ts"

/** Tools of pawl's that are not always there: their names stay theirs. */
const RESERVED = [
  ...["apply_patch", "bash", "bash_kill", "bash_output", "edit", "glob", "grep", "list", "multiedit", "patch"],
  ...["plan_enter", "plan_exit", "question", "read", "recall", "skill", "task", "todoread", "todowrite", "webfetch"],
  ...["websearch", "write"],
]

export interface OwnTools {
  readonly tools: readonly Tool[]
  /** What is wrong with which file, for people. */
  readonly notices: readonly string[]
}

/** Loads the tools of the user's and the project's files. That runs the files: a project's only where it is trusted. */
export async function ownTools(
  { toolFiles }: Pick<DefinedSettings["definitions"], "toolFiles">,
  builtin: readonly Pick<Tool, "name">[],
): Promise<OwnTools> {
  if (toolFiles.length === 0) return { tools: [], notices: [] }
  const { loadUserTools } = await import("@pawl/user-tools")
  const taken = new Set([...RESERVED, ...builtin.map(({ name }) => name)])
  const { tools, problems } = await loadUserTools(toolFiles, { taken: [...taken] })
  const notices = problems.map(
    ({ file, line, message }) => `${file}${line === undefined ? "" : `:${line}`}: ${message}`,
  )
  return { tools, notices }
}
