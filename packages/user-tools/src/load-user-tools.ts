import type { Tool } from "@pawl/core/tool"
import { createModules, type Modules } from "@pawl/plugin-loader"
import { DefinitionError, isRecord } from "./input-schema.ts"
import { shimNames } from "./shims.ts"
import type { UserToolFile, UserToolProblem } from "./tool-file.ts"
import { toTool } from "./user-tool.ts"

export interface LoadOptions {
  /** Names that stay what they are, whatever case a file writes them in. */
  readonly taken: readonly string[]
  /** Milliseconds that a file may take to load. */
  readonly deadline?: number
  /**
   * Imports the files, again if it did before, and resolves their later imports. The caller closes it. Default: a loader that
   * closes with this call.
   */
  readonly modules?: Modules
}

export interface LoadedTools {
  /** In the order of the files, and in each of its exports. */
  readonly tools: readonly Tool[]
  readonly problems: readonly UserToolProblem[]
}

const DEADLINE = 10_000
/** The names that every provider accepts. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Imports the files, one after the other, and makes tools of what they export: the default under the file's name, any
 * other as `<file>_<export>`. What cannot be used is a problem, and the others are there all the same. Never rejects.
 */
export async function loadUserTools(files: readonly UserToolFile[], options: LoadOptions): Promise<LoadedTools> {
  const { taken, deadline = DEADLINE } = options
  const tools: Tool[] = []
  const problems: UserToolProblem[] = []
  const owners = new Map(taken.map((name) => [name.toLowerCase(), "a tool of pawl's own"]))
  const modules = options.modules ?? createModules(shimNames)
  try {
    for (const { name: base, source } of files) {
      const imported = await modules.import(source, { deadline })
      if ("problem" in imported) {
        problems.push(imported.problem)
        continue
      }
      const definitions = definitionsOf(base, imported.exports)
      if (definitions.length === 0) problems.push({ file: source, message: "It exports no tool." })
      for (const [name, definition] of definitions) {
        const owner = owners.get(name.toLowerCase())
        const made = owner === undefined ? await attempt(name, definition) : `Its name is that of ${owner}.`
        if (typeof made === "string") {
          problems.push({ file: source, message: `The tool "${name}" is left out. ${made}` })
          continue
        }
        owners.set(name.toLowerCase(), `one in ${source}`)
        tools.push(made)
      }
    }
  } finally {
    if (!options.modules) modules.close()
  }
  return { tools, problems }
}

/** Returns exports that look like a tool, and the default export; other exports are helpers. */
function definitionsOf(base: string, exports: Readonly<Record<string, unknown>>): [name: string, value: unknown][] {
  return Object.entries(exports).flatMap(([name, value]): [string, unknown][] => {
    if (name === "default") return [[base, value]]
    return isRecord(value) && "execute" in value ? [[`${base}_${name}`, value]] : []
  })
}

/** Returns the tool, or why it is invalid. */
async function attempt(name: string, definition: unknown): Promise<Tool | string> {
  if (!TOOL_NAME.test(name)) return "Names of tools have letters, digits, _ and - only, at most 64."
  try {
    return await toTool(name, definition)
  } catch (error) {
    if (error instanceof DefinitionError) return error.message
    return `It cannot be read: ${error instanceof Error ? error.message : "it threw no error"}.`
  }
}
