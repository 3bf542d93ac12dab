import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { answeringModel, lastPrompt } from "../../test/answering-model.ts"
import { testEngine } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import { taskTool } from "../../test/task-tool.ts"
import type { Agent } from "../agents/agent.ts"
import type { EndedSubagent, SubagentDirectories, SubagentLocation } from "../contracts/subagent-directories.ts"
import type { SubagentResult } from "../contracts/tool.ts"

const agents: readonly Agent[] = [{ name: "apart", mode: "subagent", ownDirectory: true }]

/** A parent that gives the agent `apart` one task, then goes on with it. */
const parent = (result: () => SubagentResult | undefined) =>
  answeringModel(({ request, n }) => {
    if (lastPrompt(request) !== "Begin") return said(`Did ${lastPrompt(request)}.`)
    if (n === 0) return [called("task", { prompt: "one", subagent_type: "apart" }, "c1")]
    const { sessionID } = result() ?? {}
    if (n === 1 && sessionID)
      return [called("task", { prompt: "two", subagent_type: "apart", task_id: sessionID }, "c2")]
    return said("All done.")
  })

async function delegated(hosted: (own: string) => SubagentDirectories | undefined) {
  const own = await mkdtemp(join(tmpdir(), "pawl-own-"))
  onTestFinished(() => rm(own, { recursive: true }))
  const results: SubagentResult[] = []
  const subagentDirectories = hosted(own)
  const test = await testEngine({
    ...{ model: parent(() => results[0]), agents, tools: [taskTool((result) => results.push(result))] },
    ...(subagentDirectories ? { subagentDirectories } : {}),
  })
  onTestFinished(() => test[Symbol.asyncDispose]())
  await test.ask("Begin")
  return { own, results, test, children: await test.engine.children(test.session.id), calls: await test.parts("tool") }
}

it("works in the directory that the host supplies, and its result has the host's facts", async () => {
  const places: SubagentLocation[] = []
  const ended: EndedSubagent[] = []
  const { own, results, test, children } = await delegated((directory) => ({
    async open(place) {
      places.push(place)
      return directory
    },
    async ended(place) {
      ended.push(place)
      return `Ended ${ended.length}.`
    },
  }))
  expect(children).toMatchObject([{ directory: own, agent: "apart" }])
  expect(results).toMatchObject([
    { text: "Did one.", note: "Ended 1." },
    { text: "Did two.", note: "Ended 2." },
  ])
  const above = test.session.directory
  expect(places).toMatchObject([
    { above, agent: "apart" },
    { above, agent: "apart", directory: own },
  ])
  expect(places[0]).not.toHaveProperty("directory")
  expect(ended[0]).toMatchObject({ directory: own, agent: "apart" })
})

it("is refused if the host supplies no directories, or fails to", async () => {
  const none = await delegated(() => undefined)
  expect(none.calls).toMatchObject([{ state: { status: "error", error: expect.stringContaining("does not supply") } }])
  const failing = await delegated(() => ({
    open: () => Promise.reject(new Error("No repository.")),
    ended: async () => undefined,
  }))
  const error = "The agent apart cannot get a directory of its own: No repository."
  expect(failing.calls).toMatchObject([{ state: { status: "error", error: expect.stringContaining(error) } }])
  expect([none.children, failing.children]).toEqual([[], []])
})

it("keeps its result if the facts cannot be had", async () => {
  const { own, results } = await delegated((directory) => ({
    open: async () => directory,
    ended: () => Promise.reject(new Error("No facts.")),
  }))
  expect(results[0]).toMatchObject({ status: "completed", text: "Did one.", note: `It worked in ${own}. No facts.` })
})
