import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { sqliteStorage } from "../../../storage-sqlite/src/index.ts"
import { answeringModel, lastPrompt, silence } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { dying, temporaryDirectory } from "../../test/storages.ts"
import { called, said } from "../../test/streaming-model.ts"
import { taskTool } from "../../test/task-tool.ts"
import type { Agent } from "../agents/agent.ts"
import type { SubagentResult } from "../contracts/tool.ts"
import { collected } from "../base/collected.ts"
import type { ToolPart } from "../record/message.ts"
import { readOutcome } from "./outcome.ts"

/** A parent that hands out these tasks at once, then says what came of them; a child does as its prompt says. */
const family = (
  tasks: object[],
  child: (prompt: string) => ReturnType<typeof said> = (prompt) => said(`Did ${prompt}.`),
) => {
  return answeringModel(({ request, n }) => {
    const isParent = lastPrompt(request) === "Begin"
    if (!isParent) return child(lastPrompt(request))
    return n === 0 ? tasks.map((task, at) => called("task", task, `call-${at}`)) : said("All done.")
  })
}

const toolParts = (parts: readonly { type: string }[]) => parts.filter((part): part is ToolPart => part.type === "tool")

describe("a task", () => {
  it("is worked on in a session below, whose answer the parent reads", async () => {
    const results: SubagentResult[] = []
    const model = family([{ description: "Look", prompt: "dig", subagent_type: "explore" }])
    await using test = await testEngine({ model, tools: [taskTool((result) => results.push(result))] })

    expect(await test.ask("Begin")).toMatchObject({ type: "answered" })

    const [child] = await test.engine.children(test.session.id)
    const [call] = await test.parts("tool")
    expect(child).toMatchObject({
      title: "Look (@explore subagent)",
      agent: "explore",
      parentID: test.session.id,
      directory: test.session.directory,
      delegation: { agent: "build", callID: "call-0", messageID: call?.messageID },
    })
    expect(results).toEqual([
      {
        ...{ sessionID: child?.id, status: "completed", text: "Did dig.", model: model.ref, cost: 20e-6 },
        tokens: expect.objectContaining({ input: 10, output: 10 }),
      },
    ])
    expect(call?.state).toMatchObject({ status: "completed", output: expect.stringContaining("completed: Did dig.") })
    expect(model.requests[1]?.system[0]).toContain("find things out")
  })

  it("shows in the parent's call what its agent is at", async () => {
    const model = answeringModel(({ request, n }) => {
      if (lastPrompt(request) === "Begin") return n === 0 ? [called("task", { prompt: "dig" })] : said("Done.")
      return n === 0 ? [called("look", {}, "c")] : said("Found.")
    })
    const look = testTool("look", async (_input, context) => {
      context.progress({ title: "Looking around" })
      return "ok"
    })
    await using test = await testEngine({ model, tools: [taskTool(), look] })
    await test.ask("Begin")

    const [child] = await test.engine.children(test.session.id)
    const [call] = await test.parts("tool")
    const last = [{ tool: "look", title: "look", status: "completed" }]
    expect(call?.state).toMatchObject({ metadata: { sessionId: child?.id, model: model.ref, summary: last } })
    const shown = test.events.flatMap(({ type, properties }) => {
      if (type !== "message.part.updated" || !("part" in properties) || properties.part.type !== "tool") return []
      const { state, sessionID } = properties.part
      return sessionID === test.session.id && state.status === "running" ? [state.metadata?.["summary"]] : []
    })
    expect(shown).toContainEqual([{ tool: "look", title: "Looking around", status: "running" }])
  })

  it("works side by side with others, each in a session of its own", async () => {
    const both = Promise.withResolvers<void>()
    let waiting = 0
    const meet = testTool("meet", async () => {
      if (++waiting === 2) both.resolve()
      await both.promise
      return "met"
    })
    const model = answeringModel(({ request, n }) => {
      if (lastPrompt(request) === "Begin") {
        return n === 0 ? [called("task", { prompt: "a" }, "1"), called("task", { prompt: "b" }, "2")] : said("Done.")
      }
      return n === 0 ? [called("meet", {}, "m")] : said(lastPrompt(request))
    })
    await using test = await testEngine({ model, tools: [taskTool(), meet] })

    expect(await test.ask("Begin")).toMatchObject({ type: "answered" })

    const outputs = (await test.parts("tool")).map(({ state }) => ("output" in state ? state.output.slice(-12) : ""))
    expect(outputs).toEqual(["completed: a", "completed: b"])
    expect(await test.engine.children(test.session.id)).toHaveLength(2)
  })

  it("is gone on with in its session when the parent names it, and only what this call took is billed", async () => {
    const results: SubagentResult[] = []
    let first = ""
    const model = answeringModel(({ request, n }) => {
      if (lastPrompt(request) !== "Begin") return said(`${lastPrompt(request)}!`)
      if (n === 0) return [called("task", { prompt: "one" }, "1")]
      return n === 1 ? [called("task", { prompt: "two", task_id: first }, "2")] : said("Done.")
    })
    const tool = taskTool((result) => {
      first = result.sessionID
      results.push(result)
    })
    await using test = await testEngine({ model, tools: [tool] })
    await test.ask("Begin")

    expect(results.map(({ text, cost }) => [text, cost])).toEqual([
      ["one!", 20e-6],
      ["two!", 20e-6],
    ])
    const [child, ...others] = await test.engine.children(test.session.id)
    expect(others).toEqual([])
    expect(child?.delegation?.callID).toBe("2")
    expect(JSON.stringify(model.requests[3]?.messages)).toContain("one!")
  })

  it("of another session cannot be gone on with", async () => {
    const model = family([{ prompt: "x", task_id: "ses_unknown" }])
    await using test = await testEngine({ model, tools: [taskTool()] })
    await test.ask("Begin")
    const [call] = await test.parts("tool")
    expect(call?.state).toMatchObject({ status: "error", error: expect.stringMatching(/no task ses_unknown/) })
    expect(await test.engine.children(test.session.id)).toEqual([])
  })

  it.each([
    ["build", /works for users.+To choose from: general, explore/],
    ["title", /is internal/],
    ["poet", /not known/],
  ])("cannot be given to the agent %s", async (agent, reason) => {
    const model = family([{ prompt: "x", subagent_type: agent }])
    await using test = await testEngine({ model, tools: [taskTool()] })
    await test.ask("Begin")
    const [call] = await test.parts("tool")
    expect(call?.state).toMatchObject({ status: "error", error: expect.stringMatching(reason) })
  })
})

describe("the depth", () => {
  const nested = () =>
    answeringModel(({ request, n }) => {
      const prompt = lastPrompt(request)
      const deeper = prompt === "Begin" ? "1" : String(Number(prompt) + 1)
      return n === 0 ? [called("task", { prompt: deeper, subagent_type: "chief" }, `to ${deeper}`)] : said(prompt)
    })
  const permission = [{ permission: "task", pattern: "*", action: "allow" }] as const
  const chief: Agent = { name: "chief", mode: "all", permission }

  it.each([0, 1, 2, 3])("is %d at most where it is set", async (subagentDepth) => {
    await using test = await testEngine({ model: nested(), tools: [taskTool()], agents: [chief], subagentDepth })
    await test.ask("Begin")
    let depth = 0
    for (let [below] = await test.engine.children(test.session.id); below; depth++) {
      ;[below] = await test.engine.children(below.id)
    }
    expect(depth).toBe(subagentDepth)
  })

  it("is counted in what the topmost result says of cost", async () => {
    const results: SubagentResult[] = []
    const tool = taskTool((result, { sessionID }) => void (sessionID === test.session.id && results.push(result)))
    await using test = await testEngine({ model: nested(), tools: [tool], agents: [chief], subagentDepth: 2 })
    await test.ask("Begin")
    // Each level asks twice: before and after the level below.
    expect(results[0]?.cost).toBeCloseTo(4 * 20e-6)
    expect(results[0]?.tokens.input).toBe(40)
  })
})

it("a subagent has neither `task` nor `todowrite`, unless its own rules name them", async () => {
  const list = testTool("todowrite", async () => "ok")
  const model = family([{ prompt: "plain" }, { prompt: "chief", subagent_type: "chief" }])
  const permission = [{ permission: "todowrite", pattern: "*", action: "allow" } as const]
  const agents = [{ name: "chief", mode: "subagent", permission } as const]
  await using test = await testEngine({ model, tools: [taskTool(), list], agents, subagentDepth: 2 })
  await test.ask("Begin")
  const offered = (prompt: string) => {
    return model.requests.find((request) => lastPrompt(request) === prompt)?.tools.map(({ name }) => name)
  }
  expect([offered("Begin"), offered("plain"), offered("chief")]).toEqual([["task", "todowrite"], [], ["todowrite"]])
})

it("is offered `task` by rules of the configuration that are its own, and by no others", async () => {
  const model = family([
    { prompt: "chief", subagent_type: "chief" },
    { prompt: "other", subagent_type: "other" },
  ])
  const agents = ["chief", "other"].map((name) => ({ name, mode: "subagent" }) as const)
  const rules = [{ permission: "task", pattern: "*", action: "allow" } as const]
  const permission = [
    { name: "for all", rules },
    { name: "its own", agent: "chief", rules },
    { name: "a project's", agent: "other", onlyTightens: true, rules },
  ]
  await using test = await testEngine({ model, tools: [taskTool()], agents, permission, subagentDepth: 2 })
  await test.ask("Begin")
  const offered = (prompt: string) => {
    return model.requests.find((request) => lastPrompt(request) === prompt)?.tools.map(({ name }) => name)
  }
  expect([offered("chief"), offered("other")]).toEqual([["task"], []])
})

describe("a task that fails", () => {
  it("says so with its id, the reason and its last words", async () => {
    const results: SubagentResult[] = []
    const model = answeringModel(({ request, n }) => {
      if (lastPrompt(request) === "Begin") return n === 0 ? [called("task", { prompt: "go" })] : said("Done.")
      return [...said("I am at it."), called("look", {}, `c${n}`)]
    })
    const agents = [{ name: "general", mode: "subagent", steps: 2 } as const]
    const tools = [taskTool((result) => results.push(result)), testTool("look", async () => "ok")]
    await using test = await testEngine({ model, tools, agents })

    expect(await test.ask("Begin")).toMatchObject({ type: "answered" })

    const [child] = await test.engine.children(test.session.id)
    expect(results[0]?.status).toBe("failed")
    expect(results[0]?.text).toContain(child?.id)
    expect(results[0]?.text).toMatch(/2 steps.+I am at it\./s)
  })

  it("because nobody hears of it any more is ended, and the parent goes on", async () => {
    const results: SubagentResult[] = []
    const model = answeringModel(({ request, n, signal }) => {
      if (lastPrompt(request) !== "Begin") return silence(signal)
      return n === 0 ? [called("task", { prompt: "go" })] : said("Without it, then.")
    })
    const tools = [taskTool((result) => results.push(result))]
    await using test = await testEngine({ model, tools, deadlines: { subagent: 60 } })

    expect(await test.ask("Begin")).toMatchObject({ type: "answered" })

    expect(results[0]).toMatchObject({ status: "failed", text: expect.stringMatching(/No progress for 0.06 s/) })
    const [child] = await test.engine.children(test.session.id)
    expect(child && readOutcome(child, `${test.session.id}/${child.delegation?.messageID}/call`)?.status).toBe("failed")
  })
})

it("an abort of the parent ends its subagents, and those that had finished stay finished", async () => {
  const model = answeringModel(({ request, n, signal }) => {
    if (lastPrompt(request) === "Begin") {
      return n === 0 ? [called("task", { prompt: "quick" }, "1"), called("task", { prompt: "slow" }, "2")] : said("?")
    }
    if (lastPrompt(request) === "quick") return said("Quick answer.")
    return silence(signal)
  })
  const done = Promise.withResolvers<void>()
  await using test = await testEngine({ model, tools: [taskTool(() => done.resolve())] })
  const asked = test.ask("Begin")
  await done.promise
  await test.engine.abort(test.session.id)

  expect(await asked).toMatchObject({ type: "aborted" })
  const calls = (await test.parts("tool")).map(({ state }) => state.status)
  expect(calls).toEqual(["completed", "error"])
  const children = await test.engine.children(test.session.id)
  const outcomes = children.map((child) => child.metadata?.["outcome"])
  expect(outcomes).toMatchObject([{ status: "failed" }, { status: "completed" }])
  for (const child of children) {
    const { messages } = await test.storage.readContext(child.id)
    expect(messages.every(({ info }) => info.role === "user" || info.time.completed !== undefined)).toBe(true)
  }
})

describe("a parent whose process dies", () => {
  it("goes on with the child that its call began, at each commit, and the child does nothing twice", async () => {
    const deaths: number[] = []
    for (let at = 1, isOver = false; !isOver; at++) {
      const path = join(await temporaryDirectory(), "pawl.db")
      const before = await sqliteStorage({ path })
      let writes = 0
      const work = testTool(
        "work",
        async () => {
          writes++
          return "worked"
        },
        { effect: "pure" },
      )
      const model = answeringModel(({ request }) => {
        const asked = request.messages.filter(({ role }) => role === "assistant").length
        if (lastPrompt(request) === "Begin") return asked === 0 ? [called("task", { prompt: "go" })] : said("Done.")
        return asked === 0 ? [called("work", {}, "w")] : said("Worked.")
      })
      let isDead = false
      const storage = dying(before, (n) => {
        isDead ||= n === at
        return isDead
      })
      const tools = [taskTool(), work]
      const first = await testEngine({ model, tools, storage })
      await first.ask("Begin").catch(() => undefined)
      isOver = !isDead
      await first.engine.close().catch(() => undefined)
      await before.close()

      const again = await sqliteStorage({ path })
      const sessions = await collected(again.listSessions({ parentID: null }))
      const [session] = sessions
      if (session) {
        await using second = await testEngine({ model, tools, storage: again, session })
        const result = await second.engine.resume(session.id)
        const messages = await second.messages()
        if (messages.length > 0) expect(result).toMatchObject({ type: "answered" })
        const children = await second.engine.children(session.id)
        const calls = messages.flatMap(({ parts }) => toolParts(parts))
        const ran = calls.filter(({ state }) => state.status === "completed")
        if (messages.length > 0) {
          expect(ran).toHaveLength(1)
          expect(children.length).toBe(1)
          // Once more only where the crash came between its run and its result.
          expect(writes).toBeLessThanOrEqual(2)
        }
        deaths.push(at)
      }
      await again.close()
    }
    expect(deaths.length).toBeGreaterThan(8)
  })

  it("does not prompt a child anew, however much it has done", async () => {
    const storage = memoryStorage()
    const model = answeringModel(({ request }) => {
      const asked = request.messages.filter(({ role }) => role === "assistant").length
      if (lastPrompt(request) === "Begin") return asked === 0 ? [called("task", { prompt: "go" })] : said("Done.")
      return asked < 130 ? [called("work", { asked }, `w${asked}`)] : said("Worked.")
    })
    const tools = [taskTool(), testTool("work", async () => "ok")]
    const first = await testEngine({ model, tools, storage: dying(storage, (n) => n === 240) })
    await first.ask("Begin").catch(() => undefined)
    await first.engine.close().catch(() => undefined)
    await using second = await testEngine({ model, tools, storage, session: first.session })
    expect(await second.engine.resume(first.session.id)).toMatchObject({ type: "answered" })
    const [child] = await second.engine.children(first.session.id)
    const messages = child ? await collected(storage.readMessages(child.id)) : []
    expect(messages.length).toBeGreaterThan(130)
    expect(messages.filter(({ info }) => info.role === "user")).toHaveLength(1)
  })

  it.each(["permission", "choice"] as const)("waits on with a child that waits for a person (%s)", async (what) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    onTestFinished(() => void vi.useRealTimers())
    const storage = memoryStorage()
    const results: SubagentResult[] = []
    const model = answeringModel(({ request }) => {
      const asked = request.messages.filter(({ role }) => role === "assistant").length
      if (lastPrompt(request) === "Begin") return asked === 0 ? [called("task", { prompt: "go" })] : said("Done.")
      return asked === 0 ? [called(what, {}, "w")] : said("Worked.")
    })
    const which = { header: "Way", question: "Which?", options: [{ label: "left", description: "Left." }] }
    const choice = testTool("choice", async (_input, context) => String(await context.ask([which])), {
      resumable: true,
    })
    const options = {
      ...{ model, askPolicy: "wait" as const, deadlines: { subagent: 60 } },
      tools: [taskTool((result) => results.push(result)), choice, testTool("permission", async () => "ok")],
      permission: [{ name: "test", rules: [{ permission: "permission", pattern: "*", action: "ask" as const }] }],
    }
    let isDead = false
    const first = await testEngine({ ...options, storage: dying(storage, () => isDead) })
    const asked = first.ask("Begin").catch(() => undefined)
    await expect.poll(async () => (await first.engine.questions(first.session.id)).length).toBe(1)
    isDead = true
    await first.engine.close().catch(() => undefined)
    await asked

    await using second = await testEngine({ ...options, storage, session: first.session })
    const resumed = second.engine.resume(first.session.id)
    await vi.advanceTimersByTimeAsync(300)
    const [question] = await second.engine.questions(first.session.id)
    if (!question) return expect.fail("nothing is asked any more")
    const { sessionID, id: questionID } = question
    const answer =
      what === "choice"
        ? ({ type: "choice", answers: [["left"]] } as const)
        : ({ type: "permission", reply: "once" } as const)
    await second.engine.answer({ sessionID, questionID, answer: answer as never })
    expect(await resumed).toMatchObject({ type: "answered" })
    expect(results).toMatchObject([{ status: "completed", text: "Worked." }])
  })

  it("reads a child that has finished although its agent is gone", async () => {
    const storage = memoryStorage()
    const results: SubagentResult[] = []
    const model = family([{ prompt: "go", subagent_type: "digger" }])
    const agents = [{ name: "digger", mode: "subagent" } as const]
    const tools = [taskTool((result) => results.push(result))]
    let hasEnded = false
    const mortal = dying(storage, (_n, writes) => {
      const wasEnded = hasEnded
      hasEnded ||= writes.some((write) => write.type === "session.patch" && write.changes.metadata !== undefined)
      return wasEnded
    })
    const first = await testEngine({ model, tools, agents, storage: mortal })
    await first.ask("Begin").catch(() => undefined)
    await first.engine.close().catch(() => undefined)
    results.length = 0
    await using second = await testEngine({ model, tools, storage, session: first.session })
    await second.engine.resume(first.session.id)
    expect(results).toMatchObject([{ status: "completed", text: "Did go." }])
  })

  it("only reads a child that has finished", async () => {
    const path = join(await temporaryDirectory(), "pawl.db")
    const model = family([{ prompt: "go" }])
    const before = await sqliteStorage({ path })
    // The child's outcome is the last thing that is written.
    let isDead = false
    const storage = dying(before, (_n, writes) => {
      const wasDead = isDead
      isDead ||= writes.some((write) => write.type === "session.patch" && "outcome" in (write.changes.metadata ?? {}))
      return wasDead
    })
    const first = await testEngine({ model, tools: [taskTool()], storage })
    await first.ask("Begin").catch(() => undefined)
    await first.engine.close().catch(() => undefined)
    await before.close()
    const requests = model.requests.length

    const again = await sqliteStorage({ path })
    await using second = await testEngine({ model, tools: [taskTool()], storage: again, session: first.session })
    expect(await second.engine.resume(first.session.id)).toMatchObject({ type: "answered" })
    expect(model.requests.length).toBe(requests + 1)
    expect((await second.parts("tool"))[0]?.state).toMatchObject({ output: expect.stringContaining("Did go.") })
    await again.close()
  })
})
