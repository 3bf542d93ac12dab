import type { PluginTools } from "@pawl/core/plugin"
import { type JSONObject, ToolInputError } from "@pawl/core/tool"
import { readArguments, type ToolArguments } from "./tool-arguments.ts"
import { foreignContext } from "./foreign-context.ts"
import type { Progress } from "./progress.ts"
import { toolResult } from "./tool-result.ts"

interface ForeignTool {
  readonly description: string
  readonly args?: unknown
  execute(args: unknown, context: unknown): unknown
}

/**
 * pawl's tools for OpenCode's map of them. Arguments are checked and handed on as the model wrote them: defaults and
 * coercions of their schema are not applied. A call has as long as it takes. What is no tool is left out, with a notice.
 */
export function offeredTools(tools: unknown, notice: (message: string) => void): PluginTools {
  if (tools === undefined || tools === null || tools === false) return {}
  if (typeof tools !== "object") {
    notice('"tool" cannot be read: give an object of tools by name.')
    return {}
  }
  return Object.fromEntries(
    Object.entries(tools).flatMap(([name, tool]: [string, unknown]) => {
      if (isTool(tool)) return [[name, offered(name, tool)]]
      // Authors write `isOn && tool`.
      const isNone = tool === undefined || tool === null || tool === false
      if (!isNone) notice(`${JSON.stringify(name)} is no tool: give it a \`description\` and a function \`execute\`.`)
      return []
    }),
  )
}

function offered(name: string, tool: ForeignTool): PluginTools[string] {
  let read: ToolArguments | undefined
  const args = () => (read ??= readArguments(tool.args))
  return {
    description: tool.description,
    get inputSchema(): JSONObject {
      return args().inputSchema
    },
    effect: "unsafe",
    deadline: 0,
    parse(input) {
      const problem = args().problem(input)
      if (problem === undefined) return input
      const next = "Please rewrite the input so that it fits what is expected."
      throw new ToolInputError(`The ${name} tool was called with invalid arguments: ${problem}\n${next}`)
    },
    async execute(input, context) {
      const progress: Progress = {}
      return toolResult(await tool.execute(input, foreignContext(context, progress)), progress)
    },
  }
}

function isTool(tool: unknown): tool is ForeignTool {
  if (typeof tool !== "object" || tool === null) return false
  return (
    "execute" in tool &&
    typeof tool.execute === "function" &&
    "description" in tool &&
    typeof tool.description === "string"
  )
}
