import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { answeringModel } from "../../../test/answering-model.ts"
import { testEngine, type TestEngineOptions, testTool } from "../../../test/engine-fixture.ts"
import { temporaryDirectory } from "../../../test/storages.ts"
import { called, said } from "../../../test/streaming-model.ts"
import { taskTool } from "../../../test/task-tool.ts"
import { windowModel } from "../../../test/window-model.ts"
import type { ModelRequest } from "../../contracts/model.ts"
import { memoryStorage } from "@pawl/storage-memory"
import type { ModelRef, Session } from "../../record/message.ts"

const read = testTool("read", async () => "content")
const edit = testTool("edit", async () => "edited")

/** Prompts of one session, each by an engine of its own, as after a restart. */
async function restarting(options: Partial<TestEngineOptions> = {}) {
  const model = answeringModel(() => said("Done."))
  const storage = memoryStorage()
  const directory = await temporaryDirectory()
  let session: Session | undefined
  return {
    model,
    storage,
    directory,
    ask: async (agent = "build", more: Partial<TestEngineOptions> & { readonly chosen?: ModelRef } = {}) => {
      const run = { model, storage, tools: [read, edit], ...options, ...more }
      const { engine } = await testEngine({ ...run, session: session ?? ({ directory } as Session) })
      session ??= await engine.createSession({ directory })
      await engine.prompt({
        sessionID: session.id,
        agent,
        ...(more.chosen ? { model: more.chosen } : {}),
        parts: [{ type: "text", text: "Go on." }],
      })
      await engine.close()
    },
    compact: async () => {
      const { engine } = await testEngine({ model, storage, ...options, session: session as Session })
      await engine.compact((session as Session).id)
      await engine.close()
    },
  }
}

function expectPrefix(before: ModelRequest | undefined, after: ModelRequest | undefined) {
  expect(after?.system).toEqual(before?.system)
  expect(JSON.stringify(after?.tools)).toBe(JSON.stringify(before?.tools))
  expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
}

const newest = (request: ModelRequest | undefined) => JSON.stringify(request?.messages.at(-1))

describe("another agent", () => {
  const agents = [
    { name: "build" },
    {
      name: "review",
      prompt: "You review.",
      permission: [{ permission: "edit", pattern: "*", action: "deny" as const }],
    },
  ]

  it("leaves the request before the newest message as it was, and is told with that message", async () => {
    const { model, ask } = await restarting({ agents })
    await ask("build")
    await ask("review")
    await ask("review")
    await ask("build")
    const [first, second, third, fourth] = model.requests
    expectPrefix(first, second)
    expectPrefix(second, third)
    expectPrefix(third, fourth)
    expect(newest(second)).toContain('The agent is now \\"review\\"')
    expect(newest(second)).toContain("You review.")
    expect(newest(third)).not.toContain("system-reminder")
    expect(newest(fourth)).toContain('The agent is \\"build\\" again')
  })

  it("keeps the tools in the list that it may not use, and is refused when it calls them", async () => {
    const model = answeringModel(({ n }) => (n === 0 ? [called("edit", {}, "call_1")] : said("Done.")))
    await using test = await testEngine({ model, tools: [read, edit], agents })
    const parts = [{ type: "text", text: "Go on." }] as const
    await test.engine.prompt({ sessionID: test.session.id, agent: "review", parts })
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["edit", "read"])
    expect(await test.parts("tool")).toMatchObject([{ tool: "edit", state: { status: "error" } }])
  })

  it("has only its own tools if it is a subagent, whose session it never leaves", async () => {
    const subagents = [{ name: "build" }, { ...agents[1], name: "review", mode: "subagent" as const }]
    const task = { type: "subtask", prompt: "Review.", description: "review", agent: "review" } as const
    const model = answeringModel(() => said("Done."))
    await using test = await testEngine({ model, tools: [read, edit, taskTool()], agents: subagents })
    await test.engine.prompt({ sessionID: test.session.id, parts: [task] })
    const child = model.requests.find(({ system }) => system[0] === "You review.")
    expect(child?.tools.map(({ name }) => name)).toEqual(["read"])
  })
})

describe("an instruction file that is edited", () => {
  it("is told as a change also if it was added after the context began", async () => {
    const { model, ask, directory } = await restarting()
    await ask()
    await writeFile(join(directory, "AGENTS.md"), "Use tabs.")
    await ask()
    await writeFile(join(directory, "AGENTS.md"), "Use spaces.")
    await ask()
    expect(newest(model.requests[1])).toContain("AGENTS.md applies as well")
    expect(newest(model.requests[2])).toContain("AGENTS.md has changed. This replaces")
  })

  it("is told with the newest message, and is in the system prompt after the next compaction", async () => {
    const words = (n: number) => Array.from({ length: 5_000 }, (_, at) => `${n} and ${at * 7919}`).join(", ")
    const model = windowModel({ context: 1_000_000, agent: (_request, n) => said(words(n)) })
    const { ask, compact, directory } = await restarting({ model })
    const file = join(directory, "AGENTS.md")
    await writeFile(file, "Use tabs.")
    await ask()
    await writeFile(file, "Use spaces.")
    await ask()
    await ask()
    await rm(file)
    await ask()
    const [first, second, third, fourth] = model.asked
    expect(first?.system.join()).toContain("Use tabs.")
    expectPrefix(first, second)
    expectPrefix(second, third)
    expectPrefix(third, fourth)
    expect(newest(second)).toContain("Use spaces.")
    expect(newest(third)).not.toContain("Use spaces.")
    expect(newest(fourth)).toContain("was removed")

    await writeFile(file, "Use semicolons.")
    await compact()
    await ask()
    const last = model.asked.at(-1)
    expect(model.summaries.length).toBe(1)
    expect(last?.system.join()).toContain("Use semicolons.")
    expect(newest(last)).not.toContain("Use semicolons.")
  })

  it("is in the system prompt at once if a reminder would take too much of the window", async () => {
    const { model, ask, directory } = await restarting({ outputLimits: { lines: 100, bytes: 500 } })
    await writeFile(join(directory, "AGENTS.md"), "Use tabs.")
    await ask()
    await writeFile(join(directory, "AGENTS.md"), "Use spaces. ".repeat(50))
    await ask()
    expect(model.requests[1]?.system.join()).toContain("Use spaces.")
    expect(newest(model.requests[1])).not.toContain("Use spaces.")
  })
})

it("another model begins with the sources as they are now", async () => {
  const { ask, directory, storage } = await restarting()
  await writeFile(join(directory, "AGENTS.md"), "Use tabs.")
  await ask()
  await writeFile(join(directory, "AGENTS.md"), "Use spaces.")
  const other = answeringModel(() => said("Done."), "other")
  await ask("build", { model: other, chosen: other.ref })
  expect(other.requests[0]?.system.join()).toContain("Use spaces.")
  expect(newest(other.requests[0])).not.toContain("Use spaces.")
  for await (const session of storage.listSessions()) {
    const { messages } = await storage.readContext(session.id)
    const heads = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "step-start" ? [part.head?.model] : [])),
    )
    expect(heads).toEqual(["answers/answers", "other/other"])
  }
})
