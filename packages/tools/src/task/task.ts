import { defineTool, type SessionID, type SubagentResult, type Tool, ToolInputError } from "@pawl/core/tool"
import { displayName } from "../display-name.ts"
import { optional, textField, toolInput } from "../tool-input.ts"

const input = toolInput("task", {
  description: textField("What the task is about, in three to five words"),
  prompt: textField("The whole task: the agent knows nothing of this conversation"),
  subagent_type: textField("The agent that works on it"),
  task_id: optional(textField("Continues an earlier task: the id that its result names")),
})
type Input = ReturnType<typeof input.parse>

/** An agent that can be given tasks. */
export interface Subagent {
  readonly name: string
  readonly description?: string | undefined
}

/** Starts a subagent, which works in its own session and answers once. */
export function taskTool(agents: readonly Subagent[]): Tool<Input> {
  const names = agents.map(({ name }) => name).toSorted()
  return defineTool<Input>({
    name: "task",
    description:
      "Hands a task to another agent. It works by itself in a session of its own, with tools of its own, and you get its last words as the result; " +
      "the user does not see them, so tell what matters. Say in the prompt all that it has to know, what it is to answer, and whether it is to change files. " +
      `Independent tasks go into parallel calls. With task_id an agent goes on where it ended.\n\nAgents:\n${listed(agents)}`,
    ...input,
    effect: "unsafe",
    changes: "none",
    resumable: true,
    deadline: 0,
    permissions: ({ subagent_type: agent }) => [{ permission: "task", patterns: [agent] }],
    async execute({ description, prompt, subagent_type: agent, task_id: id }, context) {
      if (!names.includes(agent)) {
        throw new ToolInputError(`There is no agent "${displayName(agent)}". Available: ${names.join(", ")}.`)
      }
      const result = await context.delegate({
        ...{ description, prompt, agent },
        ...(id === undefined ? {} : { sessionID: toSessionID(id) }),
      })
      const { sessionID, model, cost, tokens, status } = result
      return {
        title: displayName(description),
        output: rendered(result),
        metadata: { sessionId: sessionID, agent, model, cost, tokens, status },
      }
    },
  })
}

function listed(agents: readonly Subagent[]): string {
  if (agents.length === 0) return "(none)"
  const lines = agents.map(({ name, description }) => `- ${name}${description === undefined ? "" : `: ${description}`}`)
  return lines.toSorted().join("\n")
}

function toSessionID(id: string): SessionID {
  if (id.startsWith("ses_")) return id as SessionID
  throw new ToolInputError(
    `"${displayName(id)}" is not a task id: task ids begin with ses_. Leave task_id out to begin a new task.`,
  )
}

function rendered({ sessionID, status, text, note }: SubagentResult): string {
  const [open, close] = status === "completed" ? ["<task_result>", "</task_result>"] : ["<task_error>", "</task_error>"]
  return `<task id="${sessionID}" state="${status}">\n${open}\n${text}\n${close}${note === undefined ? "" : `\n<task_directory>\n${note}\n</task_directory>`}\n</task>`
}
