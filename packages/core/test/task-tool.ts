import type { SubagentResult, Tool, ToolContext } from "../src/tool.ts"
import { testTool } from "./engine-fixture.ts"

/** Hands its input to a subagent, as the tool `task` does; its output is the result's status and text. */
export function taskTool(
  told: (result: SubagentResult, context: ToolContext) => void = () => undefined,
  more: Partial<Tool<Record<string, unknown>>> = {},
): Tool {
  return testTool(
    "task",
    async (input, context) => {
      const { description = "A task", prompt, subagent_type: agent = "general", task_id: id } = input
      const result = await context.delegate({
        ...{ description: String(description), prompt: String(prompt), agent: String(agent) },
        ...(id === undefined ? {} : { sessionID: id as SubagentResult["sessionID"] }),
      })
      told(result, context)
      return `${result.sessionID} ${result.status}: ${result.text}`
    },
    {
      resumable: true,
      deadline: 0,
      permissions: ({ subagent_type: agent = "general" }) => [{ permission: "task", patterns: [String(agent)] }],
      ...more,
    },
  )
}
