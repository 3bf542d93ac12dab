import type { Tool } from "@pawl/core"
import type { Modules } from "@pawl/plugin-loader"
import type { Host } from "../host.ts"
import { keepDescriptors } from "../output/child-output.ts"
import { kitNames } from "../plugins/module-names.ts"
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

/**
 * Loads the tools of the user's and the project's files. That runs the files: a project's only where it is trusted. `modules`:
 * imports them, and goes on to do so when this has resolved. Absent: they import nothing later. `cache`: an absolute
 * directory for what their TypeScript was made into.
 */
export async function ownTools(
  { toolFiles }: Pick<DefinedSettings["definitions"], "toolFiles">,
  builtin: readonly Pick<Tool, "name">[],
  {
    guard,
    watchThread,
    modules,
    cache,
  }: Pick<Host, "guard" | "watchThread"> & { readonly modules?: Modules | undefined; readonly cache: string },
): Promise<OwnTools> {
  if (toolFiles.length === 0) return { tools: [], notices: [] }
  keepDescriptors()
  // They may start processes that nothing else guards.
  ;(await guard()).start()
  watchThread()
  const [{ loadUserTools, shimNames }, { createModules }] = await Promise.all([
    import("@pawl/user-tools"),
    import("@pawl/plugin-loader"),
  ])
  const importing = modules ?? createModules({ ...shimNames, aliases: { ...shimNames.aliases, ...kitNames }, cache })
  const taken = new Set([...RESERVED, ...builtin.map(({ name }) => name)])
  const { tools, problems } = await loadUserTools(toolFiles, { taken: [...taken], modules: importing })
  if (!modules) importing.close()
  const notices = problems.map(
    ({ file, line, message }) => `${file}${line === undefined ? "" : `:${line}`}: ${message}`,
  )
  return { tools, notices }
}
