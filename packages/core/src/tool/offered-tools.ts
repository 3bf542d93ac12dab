import { messageOf } from "../errors.ts"
import { isToolName, type Tool } from "./tool.ts"

/** A tool as a plugin gives it: its name is the key that it stands under. */
export type OfferedTool = Omit<Tool, "name">

/** What a plugin may give in the place of a tool that it does not offer: `isOn && tool`, `isOn ? tool : undefined`. */
export type NoTool = undefined | null | false

export interface OfferedTools {
  readonly tools: readonly (readonly [name: string, tool: OfferedTool])[]
  /** A sentence about each that cannot be offered, with the next step. */
  readonly problems: readonly string[]
}

/** Which of a plugin's tools can be offered and run. Never throws, whatever stands there. */
export function offeredTools(given: unknown): OfferedTools {
  if (isNoTool(given)) return { tools: [], problems: [] }
  if (typeof given !== "object" || Array.isArray(given)) {
    return { tools: [], problems: ['"tool" cannot be read: give an object of tools by name.'] }
  }
  const tools: [string, OfferedTool][] = []
  const problems: string[] = []
  for (const [name, tool] of Object.entries(given) as [string, OfferedTool | NoTool][]) {
    if (isNoTool(tool)) continue
    const step = remedy(name, tool)
    if (step === undefined) tools.push([name, tool])
    else problems.push(`${JSON.stringify(name)} cannot be offered as a tool: ${step}.`)
  }
  return { tools, problems }
}

function isNoTool(given: unknown): given is NoTool {
  return given === undefined || given === null || given === false
}

function remedy(name: string, tool: OfferedTool): string | undefined {
  if (!isToolName(name)) return 'rename it to at most 64 letters, digits, "_" and "-"'
  if (typeof tool !== "object") return "give an object"
  try {
    if (typeof tool.parse !== "function") return "give it a function `parse`"
    if (typeof tool.execute !== "function") return "give it a function `execute`"
    if (typeof tool.description !== "string") return "give it a `description`"
    if (typeof tool.inputSchema !== "object" || (tool.inputSchema as unknown) === null)
      return "give it an `inputSchema`"
    return undefined
  } catch (error) {
    return `reading it failed (${messageOf(error)})`
  }
}
