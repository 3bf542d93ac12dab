import { canonicalJSON, type JSONObject } from "../base/json.ts"
import { messageOf } from "../base/errors.ts"
import { kindOf } from "../base/kind-of.ts"
import { asJSON } from "../base/copy.ts"
import { isToolName, type Tool } from "./tool.ts"

/** A tool as a plugin offers it. Its name is its key. */
export type OfferedTool = Omit<Tool, "name">

/** Values that a plugin may use instead of a tool that it does not offer: `isOn && tool`, `isOn ? tool : undefined`. */
export type NoTool = undefined | null | false

export interface OfferedTools {
  /** The tools at the time of reading: later changes by their plugin have no effect. */
  readonly tools: readonly Tool[]
  /** A sentence for each invalid tool, with the next step. */
  readonly problems: readonly string[]
}

/** Returns a plugin's valid tools, and the problems of the others. Never throws, whatever the plugin offers. */
export function offeredTools(value: unknown): OfferedTools {
  if (isNoTool(value)) return { tools: [], problems: [] }
  if (typeof value !== "object" || Array.isArray(value)) {
    return {
      tools: [],
      problems: [`"tool" cannot be read: give an object of tools by name instead of ${kindOf(value)}.`],
    }
  }
  const tools: Tool[] = []
  const problems: string[] = []
  for (const name of namesOf(value)) {
    const problem = (step: string) => problems.push(`${JSON.stringify(name)} cannot be offered as a tool: ${step}.`)
    // Members may be getters, and their values may not be JSON.
    try {
      const tool = (value as Readonly<Record<string, OfferedTool | NoTool>>)[name]
      if (isNoTool(tool)) continue
      const step = remedy(name, tool)
      if (step === undefined) tools.push(named(name, tool))
      else problem(step)
    } catch (error) {
      problem(`reading it failed (${messageOf(error)})`)
    }
  }
  return { tools, problems }
}

function namesOf(value: object): string[] {
  try {
    return Object.keys(value)
  } catch {
    return []
  }
}

function isNoTool(value: unknown): value is NoTool {
  return value === undefined || value === null || value === false
}

function remedy(name: string, tool: OfferedTool): string | undefined {
  if (!isToolName(name)) return 'rename it to at most 64 letters, digits, "_" and "-"'
  if (typeof tool !== "object" || Array.isArray(tool)) return `give an object instead of ${kindOf(tool)}`
  if (typeof tool.execute !== "function") return "give it a function `execute`"
  if (typeof tool.description !== "string") return "give it a `description`"
  if (typeof tool.parse !== "function") return "give it a function `parse`"
  if (typeof tool.inputSchema !== "object" || (tool.inputSchema as unknown) === null) return "give it an `inputSchema`"
  if (tool.effect !== undefined && !EFFECTS.has(tool.effect))
    return `set its \`effect\` to "pure", "idempotent" or "unsafe" instead of ${kindOf(tool.effect)}`
  if (tool.permission !== undefined && typeof tool.permission !== "string") return "give its `permission` a name"
  return undefined
}

const EFFECTS: ReadonlySet<unknown> = new Set<Tool["effect"]>(["pure", "idempotent", "unsafe"])

function isObject(value: unknown): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/**
 * Returns the tool with its name in the plugin. Looks up its functions at each call instead of copying them, because
 * the tool may be an instance of a class.
 */
function named(name: string, tool: OfferedTool): Tool {
  // Untyped code may leave the effect out.
  const effect = EFFECTS.has(tool.effect) ? tool.effect : "unsafe"
  const { description, keep, pollable, deadline, resumable, worksInProcesses, permission, deferrable } = tool
  const inputSchema = asJSON(tool.inputSchema)
  if (!isObject(inputSchema)) throw new TypeError("its `inputSchema` is not a JSON object")
  return {
    ...{ name, description, inputSchema, effect },
    ...(keep ? { keep } : {}),
    ...(pollable === undefined ? {} : { pollable }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(resumable === undefined ? {} : { resumable }),
    ...(worksInProcesses === undefined ? {} : { worksInProcesses }),
    ...(permission === undefined ? {} : { permission }),
    ...(deferrable ? { deferrable } : {}),
    ...(tool.loopKey ? { loopKey: (args) => tool.loopKey?.(args) ?? canonicalJSON(args) } : {}),
    parse: (input) => tool.parse(input),
    permissions: (input, location) => tool.permissions?.(input, location) ?? [],
    execute: (input, context) => tool.execute(input, context),
  }
}
