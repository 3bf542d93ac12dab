import { describe, expect, it } from "vitest"
import type { SubagentResult, SubagentTask } from "@pawl/core/tool"
import { testContext } from "../../test/context.ts"
import { taskTool } from "./task.ts"

const agents = [{ name: "general", description: "Carries out tasks." }, { name: "explore" }]
const tool = taskTool(agents)
const result: SubagentResult = {
  sessionID: "ses_child",
  status: "completed",
  text: "The loop is in loop.ts.",
  model: { providerID: "acme", modelID: "small" },
  cost: 0.25,
  tokens: { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } },
}

function delegating(answer: SubagentResult = result) {
  const tasks: SubagentTask[] = []
  const context = testContext("/srv", {
    delegate: async (task) => {
      tasks.push(task)
      return answer
    },
  })
  return { tasks, context }
}

const call = { description: "find the loop", prompt: "Where is the loop?", subagent_type: "explore" }

describe("task", () => {
  it("hands the task over, and gives the agent's last words with the id to go on with", async () => {
    const { tasks, context } = delegating()

    const { output, metadata } = await tool.execute(tool.parse(call), context)

    expect(tasks).toEqual([{ description: "find the loop", prompt: "Where is the loop?", agent: "explore" }])
    expect(output).toBe(
      '<task id="ses_child" state="completed">\n<task_result>\nThe loop is in loop.ts.\n</task_result>\n</task>',
    )
    expect(metadata).toMatchObject({ sessionId: "ses_child", cost: 0.25, model: result.model, status: "completed" })
  })

  it("goes on with an earlier task, and tells of a failure as of a result", async () => {
    const { tasks, context } = delegating({ ...result, status: "failed", text: "It could not be reached." })

    const { output } = await tool.execute(tool.parse({ ...call, task_id: "ses_child" }), context)

    expect(tasks).toMatchObject([{ sessionID: "ses_child" }])
    expect(output).toContain('state="failed">\n<task_error>\nIt could not be reached.\n</task_error>')
  })

  it("tells where the agent has worked, if that was a directory of its own", async () => {
    const { context } = delegating({ ...result, note: "It worked elsewhere." })
    const { output } = await tool.execute(tool.parse(call), context)
    expect(output).toContain("</task_result>\n<task_directory>\nIt worked elsewhere.\n</task_directory>\n</task>")
  })

  it("refuses what it cannot hand over, before anything begins", async () => {
    const { tasks, context } = delegating()
    const run = async (input: object) => tool.execute(tool.parse(input), context)

    await expect(run({ ...call, subagent_type: "nobody\n" })).rejects.toThrow(
      'There is no agent "nobody\\n". Available: explore, general.',
    )
    await expect(run({ ...call, task_id: "msg_1" })).rejects.toThrow('"msg_1" is not a task id')
    expect(tasks).toEqual([])
  })

  it("lists the agents in a stable order, and needs the permission for the one that is named", () => {
    expect(tool.description).toMatch(/Agents:\n- explore\n- general: Carries out tasks\.$/)
    expect(tool.permissions?.(tool.parse(call), { directory: "/srv", worktree: "/srv" })).toEqual([
      { permission: "task", patterns: ["explore"] },
    ])
    expect(tool).toMatchObject({ resumable: true, deadline: 0, effect: "unsafe" })
  })
})
