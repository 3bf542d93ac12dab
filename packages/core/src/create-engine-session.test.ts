import { memoryStorage } from "@pawl/storage-memory"
import { call, fail, finish, reasoning, scriptedModel, stall, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../test/engine-fixture.ts"
import { collected } from "./base/collected.ts"
import { NotFoundError, ProviderError } from "./base/errors.ts"
import type { EngineEvent } from "./contracts/events.ts"

const DIRECTORY = "/nowhere"
const hello = () => scriptedModel([[reasoning("Hm."), text("Hello"), finish("stop")]])

describe("engine.session", () => {
  it("makes a session that is stored with its first prompt", async () => {
    await using test = await testEngine({ model: hello() })
    const session = test.engine.session({ directory: DIRECTORY, title: "Mine" })

    expect(await session.info()).toMatchObject({ id: session.id, title: "Mine" })
    expect(await test.storage.getSession(session.id)).toBeUndefined()
    await session.prompt("Say hello")
    expect(await test.storage.getSession(session.id)).toMatchObject({ directory: DIRECTORY, title: "Mine" })
  })

  it("opens a stored session by its id and by its record", async () => {
    await using test = await testEngine({ model: hello() })
    const text: string = test.session.id
    expect(await test.engine.session(text).info()).toEqual(test.session)
    expect(await test.engine.session(test.session).info()).toEqual(test.session)
    expect(await collected(test.engine.listSessions())).toHaveLength(1)
  })

  it("refuses a text that cannot be an id", async () => {
    await using test = await testEngine({ model: hello() })
    const refused = new NotFoundError('"../1" is not the id of a session: it begins with "ses_".')
    expect(() => test.engine.session("../1")).toThrow(refused)
  })

  it("rejects each method of an unknown session, and stores nothing", async () => {
    await using test = await testEngine({ model: hello() })
    const session = test.engine.session("ses_unknown")
    const question = { id: "prt_1", sessionID: session.id }
    const outcomes = await Promise.allSettled([
      session.info(),
      session.update({ title: "x" }),
      session.prompt("x"),
      session.steer("x"),
      session.enqueue("x"),
      session.queue(),
      session.withdraw("msg_1"),
      session.resume(),
      session.compact(),
      session.callTool("bash", {}),
      session.abort(),
      session.questions(),
      session.answer(question, "once"),
      collected(session.messages()),
      session.events().next(),
      session.fork(),
      session.remove(),
    ])
    const methods = Object.keys(session).filter((name) => name !== "id")
    expect(outcomes).toHaveLength(methods.length)
    for (const outcome of outcomes) {
      expect(outcome).toEqual({ status: "rejected", reason: expect.any(NotFoundError) })
      expect((outcome as PromiseRejectedResult).reason.message).toMatch(/^There is no session ses_unknown in /)
    }
    expect(await collected(test.engine.listSessions())).toHaveLength(1)
  })
})

describe("the text of a result", () => {
  it("is what the model wrote in its answer", async () => {
    await using test = await testEngine({ model: hello() })
    const result = await test.engine.session(test.session).prompt("Say hello")
    expect(result).toMatchObject({ type: "answered", text: "Hello" })
  })

  it("is the answer's own, not that of the steps before", async () => {
    const model = scriptedModel([
      [text("I look."), call("look", {}), finish("tool-calls")],
      [text("One"), reasoning("Hm."), text("Two"), finish("stop")],
    ])
    const look = testTool("look", async () => "seen")
    await using test = await testEngine({ model, tools: [look] })
    expect((await test.engine.session(test.session).prompt("Look")).text).toBe("One\n\nTwo")
  })

  it("is empty if the run failed before a text, or compacted only", async () => {
    const model = scriptedModel([[fail(new ProviderError("auth", "No key."))], [text("A summary."), finish("stop")]])
    await using test = await testEngine({ model })
    const session = test.engine.session(test.session)
    expect(await session.prompt("x")).toMatchObject({
      type: "failed",
      error: { data: { message: "No key." } },
      text: "",
    })
    expect(await session.compact()).toMatchObject({ type: "compacted", text: "" })
  })
})

describe("a session of an engine", () => {
  it("takes parts and the options of a prompt", async () => {
    const model = hello()
    await using test = await testEngine({ model })
    const file = { type: "file", mime: "text/plain", url: "data:text/plain,noted" } as const
    await test.engine.session(test.session).prompt([{ type: "text", text: "Read" }, file], { system: "Be brief." })

    const [answer, prompt] = await collected(test.engine.session(test.session).messages())
    expect(prompt?.parts.map(({ type }) => type)).toEqual(["text", "file"])
    expect(answer?.info.role).toBe("assistant")
    expect(JSON.stringify(model.requests[0]?.system)).toContain("Be brief.")
  })

  it("steers a running turn, and lists and withdraws what waits behind it", async () => {
    const model = scriptedModel([
      [call("look", {}), finish("tool-calls")],
      [text("Steered."), finish("stop")],
    ])
    const look = testTool("look", async (_input, { sessionID }) => {
      const session = test.engine.session(sessionID)
      const steered = session.steer("Also the cellar")
      const later = session.enqueue("And then?")
      const modes = async () => (await session.queue()).map(({ info }) => info.delivery?.mode)
      await expect.poll(modes).toEqual(["steer", "queue"])
      const waiting = (await session.queue()).at(-1)
      expect(await session.withdraw(waiting?.info.id ?? "")).toBe(true)
      outcomes.push(steered, later)
      return "seen"
    })
    const outcomes: Promise<{ readonly text: string }>[] = []
    await using test = await testEngine({ model, tools: [look] })

    expect((await test.engine.session(test.session).prompt("Look around")).text).toBe("Steered.")
    expect(await Promise.all(outcomes)).toMatchObject([{ text: "Steered." }, { text: "Steered." }])
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("Also the cellar")
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain("And then?")
  })

  it("ends its run with abort", async () => {
    await using test = await testEngine({ model: scriptedModel([[text("I begin"), stall()]]) })
    const session = test.engine.session(test.session)
    const events = session.events()
    const result = session.prompt("Go")
    for await (const { type } of events) if (type === "message.part.delta") break
    await session.abort()

    expect(await result).toMatchObject({ type: "aborted", text: "I begin" })
    expect((await session.info()).id).toBe(session.id)
  })

  it("answers permissions by name and choices by labels", async () => {
    const model = scriptedModel([
      [call("guarded", {}), finish("tool-calls")],
      [call("choosing", {}), finish("tool-calls")],
      [text("Done."), finish("stop")],
    ])
    const question = { header: "Colour", question: "Which?", options: [{ label: "red", description: "" }] }
    const guarded = testTool("guarded", async () => "ran", {
      permissions: () => [{ permission: "guarded", patterns: ["*"], always: ["*"] }],
    })
    const choosing = testTool("choosing", async (_input, context) => JSON.stringify(await context.ask([question])))
    await using test = await testEngine({ model, tools: [guarded, choosing], askPolicy: "wait" })
    const session = test.engine.session(test.session)
    const events = session.events()
    const result = session.prompt("Go")
    for await (const { type, properties } of events) {
      if (type === "permission.asked") await session.answer(properties, "once")
      if (type === "question.asked") {
        const [open] = await session.questions()
        if (open) await session.answer(open, [["red"]])
      }
      if (type === "session.idle") break
    }

    expect((await result).text).toBe("Done.")
    const outputs = (await test.parts("tool")).map(({ state }) => state.status === "completed" && state.output)
    expect(outputs).toEqual(["ran", '[["red"]]'])
  })

  it("forks to a session of its own and removes itself", async () => {
    await using test = await testEngine({ model: hello() })
    const session = test.engine.session(test.session)
    await session.prompt("Say hello")
    const fork = await session.fork()
    expect(await collected(fork.messages())).toHaveLength(2)
    const seen = collected(session.events())
    await session.remove()

    expect((await seen).at(-1)?.type).toBe("session.deleted")
    await expect(session.info()).rejects.toThrow(NotFoundError)
    expect(await collected(fork.messages())).toHaveLength(2)
  })
})

describe("session.events", () => {
  it("yields what the engine publishes about the session, in its order", async () => {
    await using test = await testEngine({ model: hello() })
    const other = test.engine.session({ directory: DIRECTORY })
    const session = test.engine.session(test.session)
    const read = untilIdle(session.events())
    await other.update({ title: "other" })
    await session.prompt("Say hello")

    const published = test.events.filter(
      ({ properties }) => "sessionID" in properties && properties.sessionID === session.id,
    )
    const events = await read
    expect(events.map(({ type }) => type)).toEqual(published.map(({ type }) => type).slice(-events.length))
    expect(
      events.flatMap((event) => (event.type === "message.part.delta" ? event.properties.delta : [])).join(""),
    ).toBe("Hm.Hello")
  })

  it("lets the run go on while its reader is busy, and after it has left", async () => {
    await using test = await testEngine({ model: hello() })
    const session = test.engine.session(test.session)
    const events = session.events()
    const early = session.events()
    const result = session.prompt("Say hello")
    for await (const { type } of early) if (type === "session.status") break

    expect((await result).text).toBe("Hello")
    expect((await untilIdle(events)).at(-1)?.type).toBe("session.idle")
  })

  it("follows one engine of two over the same storage", async () => {
    const storage = memoryStorage()
    await using one = await testEngine({ model: hello(), storage })
    await using two = await testEngine({ model: hello(), storage, session: one.session })
    const leaving = new AbortController()
    const elsewhere = collected(two.engine.session(one.session).events({ signal: leaving.signal }))
    const here = untilIdle(one.engine.session(one.session).events())

    await one.engine.session(one.session).prompt("Say hello")
    expect((await here).length).toBeGreaterThan(5)
    leaving.abort()
    expect(await elsewhere).toEqual([])
    expect(await collected(two.engine.session(one.session).messages())).toHaveLength(2)
  })

  it("ends when the engine closes, with the end of an aborted run before", async () => {
    const test = await testEngine({ model: scriptedModel([[text("I begin"), stall()]]) })
    const session = test.engine.session(test.session)
    const read = collected(session.events())
    const result = session.prompt("Go")
    for await (const { type } of session.events()) if (type === "message.part.delta") break
    await test[Symbol.asyncDispose]()

    expect((await read).at(-1)?.type).toBe("session.idle")
    expect((await result).type).toBe("aborted")
  })
})

async function untilIdle(events: AsyncIterable<EngineEvent>): Promise<EngineEvent[]> {
  const read: EngineEvent[] = []
  for await (const event of events) {
    read.push(event)
    if (event.type === "session.idle") break
  }
  return read
}
