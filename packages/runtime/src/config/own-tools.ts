import type { Tool } from "@pawl/core/tool"
import type { Modules } from "@pawl/plugin-loader"
import type { RuntimeHost } from "../host.ts"
import { keepDescriptors } from "../child-output.ts"
import { kitNames } from "../module-names.ts"
import type { DefinedSettings } from "./definitions.ts"

/** Tools of pawl's that are not always there: their names stay theirs. */
const RESERVED = [
  ...["apply_patch", "bash", "bash_kill", "bash_output", "edit", "glob", "grep", "list", "multiedit", "patch"],
  ...["plan_enter", "plan_exit", "question", "read", "recall", "skill", "task", "todoread", "todowrite", "webfetch"],
  ...["websearch", "write"],
]

export interface OwnTools {
  readonly tools: readonly Tool[]
  /** Messages about invalid files. */
  readonly notices: readonly string[]
}

/**
 * Loads the tools of the user's and the project's files, which runs the files. Files of an untrusted project are skipped.
 * `modules` imports them, and stays usable after this resolves. Without it, the files cannot import anything later. `cache` is
 * an absolute directory for converted TypeScript.
 */
export async function ownTools(
  { toolFiles }: Pick<DefinedSettings["definitions"], "toolFiles">,
  builtin: readonly Pick<Tool, "name">[],
  {
    guard,
    watchThread,
    modules,
    cache,
  }: Pick<RuntimeHost, "guard" | "watchThread"> & { readonly modules?: Modules | undefined; readonly cache: string },
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
