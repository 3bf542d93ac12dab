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
 * coercions of their schema are not applied. A call has as long as it takes. Other values stay as they are, and the engine
 * reports them.
 */
export function offeredTools(tools: unknown): PluginTools {
  if (typeof tools !== "object" || tools === null || Array.isArray(tools)) return tools as PluginTools
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]: [string, unknown]) => [name, isTool(tool) ? offered(name, tool) : tool]),
  ) as PluginTools
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
