import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { call, fail, finish, reasoning, scriptedModel, stall, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../test/engine-fixture.ts"
import { NotFoundError, ProviderError, SessionBusyError, StaleLeaseError, ToolInputError } from "./base/errors.ts"
import type { AskPermission } from "./contracts/ask.ts"
import type { Model } from "./contracts/model.ts"
import type { MessageWithParts, ToolPart } from "./record/message.ts"
import type { RunResult } from "./run/run-result.ts"
import type { Storage } from "./contracts/storage.ts"

const transient = () => new ProviderError("transient", "The server is overloaded.", { retryAfter: 1 })

describe("a turn", () => {
  it("stores the prompt and the streamed answer", async () => {
    const model = scriptedModel([[reasoning("Hm."), text("Hello there"), finish("stop")]])
    await using test = await testEngine({ model })

    const result = await test.ask("Say hello")

    expect(answerText(result)).toBe("Hello there")
    const [user, assistant] = await test.messages()
    expect(user?.parts.map((part) => part.type)).toEqual(["text"])
    expect(assistant?.parts.map((part) => part.type)).toEqual(["step-start", "reasoning", "text", "step-finish"])
    expect(assistant?.info).toMatchObject({
      parentID: user?.info.id,
      finish: "stop",
      time: { completed: expect.any(Number) },
    })
    expect((await test.storage.getSession(test.session.id))?.title).toBe("Say hello")
  })

  it("publishes deltas with the delta alone, between the start and the end of their part", async () => {
    await using test = await testEngine({ model: scriptedModel([[text("one two three"), finish("stop")]]) })

    await test.ask("Count")

    const about = test.events.filter((event) => event.type.startsWith("message.part."))
    const deltas = about.flatMap((event) => (event.type === "message.part.delta" ? [event.properties.delta] : []))
    expect(deltas.join("")).toBe("one two three")
    const texts = about.flatMap((event) =>
      event.type === "message.part.updated" && event.properties.part.type === "text"
        ? [event.properties.part.text]
        : [],
    )
    expect(texts).toEqual(["Count", "", "one two three"])
    expect(test.events.at(-1)?.type).toBe("session.idle")
  })

  it("has each call stored as running before its tool executes, and its result before the next request", async () => {
    const model = scriptedModel([
      [call("look", { at: "x" }), finish("tool-calls")],
      [text("Seen."), finish("stop")],
    ])
    let duringExecution: ToolPart["state"] | undefined
    const look = testTool("look", async (_input, { sessionID }) => {
      const { messages } = await test.storage.readContext(sessionID)
      const part = messages.at(-1)?.parts.find((each) => each.type === "tool")
      duringExecution = part?.type === "tool" ? part.state : undefined
      return "an x"
    })
    await using test = await testEngine({ model, tools: [look] })

    await test.ask("Look at x")

    expect(duringExecution).toMatchObject({ status: "running", input: { at: "x" } })
    expect(lastToolResults(model.requests[1])).toMatchObject([{ name: "look", output: "an x", isError: false }])
    expect(await test.parts("tool")).toMatchObject([
      { state: { status: "completed", output: "an x" }, metadata: { effect: "unsafe" } },
    ])
  })

  it("runs the calls of one reply side by side", async () => {
    const reply = [call("meet", { as: "a" }), call("meet", { as: "b" }), finish("tool-calls")]
    const model = scriptedModel([reply, [text("Met."), finish("stop")]])
    let arrived = 0
    const { promise: bothAreHere, resolve } = Promise.withResolvers<void>()
    const meet = testTool("meet", async () => {
      if (++arrived === 2) resolve()
      await bothAreHere
      return "met"
    })
    await using test = await testEngine({ model, tools: [meet] })

    await test.ask("Meet")

    expect((await test.parts("tool")).map(({ state }) => state.status)).toEqual(["completed", "completed"])
  })

  it("has the result of a call stored while another of the same reply still runs", async () => {
    const reply = [call("quick", {}), call("slow", {}), finish("tool-calls")]
    const model = scriptedModel([reply, [text("Both."), finish("stop")]])
    const slowRuns = Promise.withResolvers<void>()
    const quick = testTool("quick", async () => {
      await slowRuns.promise
      return "at once"
    })
    let stored: ToolPart | undefined
    const slow = testTool("slow", async (_input, { sessionID }) => {
      slowRuns.resolve()
      const quickPart = async () => {
        const { messages } = await test.storage.readContext(sessionID)
        stored = messages.at(-1)?.parts.find((part) => part.type === "tool" && part.tool === "quick") as ToolPart
        return stored.state.status
      }
      await expect.poll(quickPart).toBe("completed")
      return "later"
    })
    await using test = await testEngine({ model, tools: [quick, slow] })

    await test.ask("Go")

    expect(stored?.state).toMatchObject({ status: "completed", output: "at once" })
  })

  it("stores a step whole, with its end, before the next request leaves", async () => {
    const stored: MessageWithParts[][] = []
    const scripted = scriptedModel([
      [call("look", {}), finish("tool-calls")],
      [call("look", {}), finish("tool-calls")],
      [text("Seen."), finish("stop")],
    ])
    const model: Model = {
      ...scripted,
      async *stream(request, signal) {
        stored.push([...(await test.storage.readContext(test.session.id)).messages])
        yield* scripted.stream(request, signal)
      },
    }
    const memory = memoryStorage()
    const storage: Storage = {
      ...memory,
      async commit(...commit) {
        await sleep(5)
        return memory.commit(...commit)
      },
    }
    await using test = await testEngine({ model, storage, tools: [testTool("look", async () => "an x")] })

    await test.ask("Look twice")

    const assistants = stored.map((messages) => messages.filter(({ info }) => info.role === "assistant"))
    expect(
      assistants.map((messages) => messages.map(({ info, parts }) => [info, parts.map((part) => part.type)])),
    ).toMatchObject([
      [[{ time: { created: expect.any(Number) } }, ["step-start"]]],
      [
        [{ finish: "tool-calls", time: { completed: expect.any(Number) } }, ["step-start", "tool", "step-finish"]],
        [{}, ["step-start"]],
      ],
      [
        [{ finish: "tool-calls" }, ["step-start", "tool", "step-finish"]],
        [{ finish: "tool-calls" }, ["step-start", "tool", "step-finish"]],
        [{}, ["step-start"]],
      ],
    ])
  })

  it.each([
    ["an unknown tool", call("nothere", {}), /no tool "nothere".*Available: read/],
    ["a tool that throws", call("read", { throw: true }), /ENOENT/],
    ["arguments that do not fit", call("read", { wrong: true }), /invalid arguments/],
    ["arguments that are not JSON", { type: "tool-call", id: "x", name: "read", input: '{"path": "a' }, /not JSON/],
  ])("lets the model read what is wrong with %s", async (_name, badCall, message) => {
    const model = scriptedModel([
      [badCall as never, finish("tool-calls")],
      [text("I see."), finish("stop")],
    ])
    const read = testTool("read", async () => Promise.reject(new Error("ENOENT: no such file")), {
      parse: (input) => {
        if ((input as { wrong?: boolean }).wrong) throw new ToolInputError("invalid arguments: path is missing")
        return input as Record<string, unknown>
      },
    })
    await using test = await testEngine({ model, tools: [read] })

    const result = await test.ask("Go")

    expect(answerText(result)).toBe("I see.")
    expect(lastToolResults(model.requests[1])).toMatchObject([
      { isError: true, output: expect.stringMatching(message) },
    ])
  })

  it("shows the model the limit of a long output and keeps the whole", async () => {
    const model = scriptedModel([
      [call("much", {}), finish("tool-calls")],
      [text("A lot."), finish("stop")],
    ])
    const output = Array.from({ length: 5000 }, (_, line) => `line ${line}`).join("\n")
    await using test = await testEngine({
      model,
      tools: [testTool("much", async () => output)],
      keepOutput: async (callID, full) => `All ${full.length} characters are in ${callID}.txt.`,
    })

    await test.ask("Go")

    const [part] = await test.parts("tool")
    if (part?.state.status !== "completed") throw new Error("The call did not complete.")
    expect(part.state.output).toContain("line 1999\n")
    expect(part.state.output).not.toContain("line 2000\n")
    expect(part.state.output).toMatch(/3000 lines truncated. All \d+ characters are in .*\.txt/)
    const blob = await test.storage.blobs.get(String(part.state.metadata["blob"]))
    expect(Buffer.from(blob ?? []).toString()).toBe(output)
  })

  it("stops at the agent's step limit and announces the last step to the model", async () => {
    const again = () => [call("again", {}), finish("tool-calls")]
    const model = scriptedModel([again(), again()])
    const agents = [{ name: "build", steps: 2 }]
    await using test = await testEngine({ model, agents, tools: [testTool("again", async () => "once more")] })

    expect(await test.ask("Go")).toEqual({ type: "steps-spent", steps: 2 })
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain("last step")
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("last step")
  })

  it("puts the project's instruction files into the system prompt", async () => {
    const model = scriptedModel([[text("Yes."), finish("stop")]])
    await using test = await testEngine({ model })
    await writeFile(join(test.session.directory, "AGENTS.md"), "Always say yes.")

    await test.ask("Go")

    expect(model.requests[0]?.system[1]).toContain("Always say yes.")
    expect(model.requests[0]?.system[1]).toContain(test.session.directory)
  })
})

describe("a broken answer", () => {
  it("is asked for again, with the attempt visible and nothing left of the partial text", async () => {
    const model = scriptedModel([
      [text("Half of"), fail(transient())],
      [text("The whole."), finish("stop")],
    ])
    await using test = await testEngine({ model })

    expect(answerText(await test.ask("Go"))).toBe("The whole.")

    expect(await test.parts("retry")).toMatchObject([
      { attempt: 1, error: { data: { message: "The server is overloaded." } } },
    ])
    expect((await test.parts("text")).map((part) => part.text)).toEqual(["Go", "The whole."])
    const statuses = test.events.flatMap((event) =>
      event.type === "session.status" ? [event.properties.status.type] : [],
    )
    expect(statuses).toEqual(["busy", "retry", "busy", "idle"])
  })

  it("fails after five attempts", async () => {
    const model = scriptedModel(Array.from({ length: 5 }, () => [fail(transient())]))
    await using test = await testEngine({ model })

    const result = await test.ask("Go")

    expect(model.requests).toHaveLength(5)
    expect(result).toMatchObject({
      type: "failed",
      error: { name: "APIError", data: { message: expect.stringMatching(/5 attempts/) } },
    })
  })

  it.each([
    ["a refused key", new ProviderError("auth", "The key was refused."), "ProviderAuthError"],
    ["a request that is too long", new ProviderError("overflow", "Too long."), "ContextOverflowError"],
  ])("is not asked for again after %s", async (_name, error, name) => {
    const model = scriptedModel([[fail(error)]])
    await using test = await testEngine({ model })

    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { name } })
    expect(model.requests).toHaveLength(1)
  })

  it("does not run a tool again that ran before the break", async () => {
    const model = scriptedModel([
      [text("First."), call("count", {}), fail(transient())],
      [text("Counted."), finish("stop")],
    ])
    let runs = 0
    await using test = await testEngine({ model, tools: [testTool("count", async () => `${++runs}`)] })

    expect(answerText(await test.ask("Count"))).toBe("Counted.")

    expect(runs).toBe(1)
    expect(lastToolResults(model.requests[1])).toMatchObject([{ output: "1" }])
  })

  it("counts breaks after tools had run against the same budget", async () => {
    const broken = (to: number) => [call("count", { to }), fail(transient())]
    const model = scriptedModel([broken(1), broken(2), broken(3), broken(4), broken(5)])
    await using test = await testEngine({ model, tools: [testTool("count", async () => "1")] })

    expect(await test.ask("Count")).toMatchObject({ type: "failed" })
    expect(model.requests).toHaveLength(5)
  })

  it("never takes an empty answer for one", async () => {
    const model = scriptedModel([[finish("stop")], [text("Here."), finish("stop")]])
    await using test = await testEngine({ model })

    expect(answerText(await test.ask("Go"))).toBe("Here.")
    expect(await test.parts("retry")).toMatchObject([
      { error: { data: { message: expect.stringMatching(/empty answer/) } } },
    ])
  })

  it("is given up when the model is silent for longer than the deadline", async () => {
    const model = scriptedModel([
      [text("And"), stall()],
      [text("Done."), finish("stop")],
    ])
    await using test = await testEngine({ model, deadlines: { idle: 30 } })

    expect(answerText(await test.ask("Go"))).toBe("Done.")
    expect(await test.parts("retry")).toMatchObject([{ error: { data: { message: expect.stringMatching(/silent/) } } }])
  })
})

describe("an abort", () => {
  it("keeps what was said and leaves the session idle", async () => {
    const model = scriptedModel([
      [text("I was just"), stall()],
      [text("Back."), finish("stop")],
    ])
    await using test = await testEngine({ model })
    abortAt(test, (event) => event.type === "message.part.delta")

    const result = await test.ask("Go")

    expect(result.type).toBe("aborted")
    expect((await test.parts("text")).at(-1)).toMatchObject({ text: "I was just", time: { end: expect.any(Number) } })
    expect(test.events.at(-1)?.type).toBe("session.idle")
    expect(answerText(await test.ask("Go on"))).toBe("Back.")
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("I was just")
  })

  it("ends running tools and settles their parts", async () => {
    const model = scriptedModel([[call("wait", {}), finish("tool-calls")]])
    const wait = testTool("wait", (_input, { signal }) => rejectOnAbort(signal))
    await using test = await testEngine({ model, tools: [wait] })
    abortAt(test, (event) => event.type === "message.part.updated" && isRunningTool(event.properties.part))

    expect((await test.ask("Wait")).type).toBe("aborted")

    expect(await test.parts("tool")).toMatchObject([{ state: { status: "error", metadata: { interrupted: true } } }])
    expect((await test.messages()).at(-1)?.info).toMatchObject({
      error: { name: "MessageAbortedError" },
      time: { completed: expect.any(Number) },
    })
  })

  it.each([{}, { delivery: "queue" as const }])("is followed by the answer to a prompt of later (%o)", async (how) => {
    const model = scriptedModel([
      [call("wait", {}), finish("tool-calls")],
      [text("Here."), finish("stop")],
    ])
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const wait = testTool("wait", async () => {
      begun.resolve()
      await ended.promise
      return "done"
    })
    await using test = await testEngine({ model, tools: [wait] })
    const sessionID = test.session.id

    const first = test.ask("Wait")
    await begun.promise
    const aborting = test.engine.abort(sessionID)
    const second = test.engine.prompt({ sessionID, parts: [{ type: "text", text: "Still there?" }], ...how })
    ended.resolve()

    expect((await first).type).toBe("aborted")
    await aborting
    expect(answerText(await second)).toBe("Here.")
  })

  it("starts no tool afterwards", async () => {
    const model = scriptedModel([[text("Now"), call("late", {}), finish("tool-calls")]])
    let ran = false
    const late = testTool("late", async () => ((ran = true), "ran"), {
      permissions: async () => {
        void test.engine.abort(test.session.id)
        return []
      },
    })
    await using test = await testEngine({ model, tools: [late] })

    expect((await test.ask("Go")).type).toBe("aborted")
    expect(ran).toBe(false)
  })

  it("gives up a tool that makes no progress", async () => {
    const model = scriptedModel([
      [call("wait", {}), finish("tool-calls")],
      [text("Pity."), finish("stop")],
    ])
    const wait = testTool("wait", (_input, { signal }) => rejectOnAbort(signal))
    await using test = await testEngine({ model, tools: [wait], deadlines: { tool: 30 } })

    expect(answerText(await test.ask("Wait"))).toBe("Pity.")
    expect(lastToolResults(model.requests[1])).toMatchObject([
      { isError: true, output: expect.stringMatching(/No progress/) },
    ])
  })
})

describe("one owner", () => {
  it("joins a prompt to the run under way and answers it", async () => {
    const model = scriptedModel([
      [call("join", {}), finish("tool-calls")],
      [text("Both."), finish("stop")],
    ])
    let joined: Promise<RunResult> | undefined
    const join = testTool("join", async () => {
      joined = test.ask("And this")
      while ((await test.messages()).length < 3) await new Promise((resolve) => setTimeout(resolve, 1))
      return "ok"
    })
    await using test = await testEngine({ model, tools: [join] })

    const first = await test.ask("Do that")

    expect(answerText(first)).toBe("Both.")
    expect(joined && answerText(await joined)).toBe("Both.")
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("And this")
    expect(model.requests).toHaveLength(2)
  })

  it("refuses a session that another process works on, and stores nothing", async () => {
    await using test = await testEngine({ model: scriptedModel([]) })
    await test.storage.acquire(test.session.id, "another", 10_000)

    await expect(test.ask("Go")).rejects.toThrow(SessionBusyError)
    expect(await test.messages()).toEqual([])
  })

  it("stops writing when another owner has taken the session", async () => {
    const model = scriptedModel([[call("lose", {}), finish("tool-calls")]])
    const storage = memoryStorage()
    const lose = testTool("lose", async (_input, { sessionID }) => {
      await new Promise((resolve) => setTimeout(resolve, 40))
      const taken = await storage.acquire(sessionID, "another", 10_000)
      expect(taken).toBeDefined()
      return "lost"
    })
    // Renewing is slower than the lease lives, as in a process that was stopped for a while.
    const slow = {
      ...storage,
      acquire: async (id: never, owner: string) => withoutRenewal(await storage.acquire(id, owner, 10)),
    }
    await using test = await testEngine({ model, storage: slow, tools: [lose] })

    await expect(test.ask("Go")).rejects.toThrow(StaleLeaseError)
    expect(await test.parts("tool")).toMatchObject([{ state: { status: "running" } }])
  })

  it("settles what a dead owner left, and goes on", async () => {
    const storage = memoryStorage()
    const dying = await testEngine({
      model: scriptedModel([[call("die", {}), finish("tool-calls")]]),
      storage,
      tools: [testTool("die", (_input, { signal }) => rejectOnAbort(signal))],
    })
    void dying.ask("Go").catch(() => undefined)
    while ((await dying.parts("tool"))[0]?.state.status !== "running")
      await new Promise((resolve) => setTimeout(resolve, 1))
    const copy = await copied(storage, dying.session.id)
    const model = scriptedModel([[text("Going on."), finish("stop")]])
    await using test = await testEngine({ model, storage: copy, session: dying.session })

    expect(answerText(await test.ask("Go on"))).toBe("Going on.")

    expect(await test.parts("tool")).toMatchObject([
      { state: { status: "error", error: expect.stringMatching(/look before you repeat/) } },
    ])
    for (const { info } of await test.messages())
      if (info.role === "assistant") expect(info.time.completed).toBeDefined()
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"])
    await dying[Symbol.asyncDispose]()
  })

  it("asks again for an answer that broke off behind a finished text, and knows of it once the user writes upon it", async () => {
    const storage = memoryStorage()
    // The process dies before the commit that ends the answer.
    const dead = new StaleLeaseError("dead")
    const dying = {
      ...storage,
      commit: ((id, writes, lease) => {
        const ends = writes.some((write) => write.type === "message.put" && "finish" in write.message)
        return ends ? Promise.reject(dead) : storage.commit(id, writes, lease)
      }) satisfies typeof storage.commit,
    }
    const scripted = scriptedModel([[text("Looking."), finish("stop")]])
    const hesitating: Model = {
      ...scripted,
      async *stream(request, signal) {
        for await (const event of scripted.stream(request, signal)) {
          if (event.type === "finish") await sleep(20)
          yield event
        }
      },
    }
    const first = await testEngine({ model: hesitating, storage: dying })
    await expect(first.ask("Look")).rejects.toThrow(dead)
    const copy = await copied(storage, first.session.id)

    const resumed = scriptedModel([[text("Looked."), finish("stop")]])
    await using one = await testEngine({
      model: resumed,
      storage: await copied(storage, first.session.id),
      session: first.session,
    })
    expect(answerText(await one.engine.resume(first.session.id))).toBe("Looked.")
    expect(resumed.requests[0]?.messages.map(({ role }) => role)).toEqual(["user"])

    const prompted = scriptedModel([[text("There."), finish("stop")]])
    await using two = await testEngine({ model: prompted, storage: copy, session: first.session })
    expect(answerText(await two.ask("Where?"))).toBe("There.")
    expect(prompted.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"])
    await first[Symbol.asyncDispose]()
  })

  it("resumes an unanswered prompt", async () => {
    const storage = memoryStorage()
    const first = await testEngine({ model: scriptedModel([[fail(new ProviderError("unknown", "Crash"))]]), storage })
    const user = {
      id: "msg_01",
      sessionID: first.session.id,
      role: "user",
      time: { created: 1 },
      agent: "build",
      model: { providerID: "replay", modelID: "x" },
    } as const
    const model = scriptedModel([[text("Here I am."), finish("stop")]])
    await storage.commit(first.session.id, [
      { type: "message.put", message: { ...user, model: model.ref } },
      {
        type: "part.put",
        part: { id: "prt_01", sessionID: first.session.id, messageID: "msg_01", type: "text", text: "Are you there?" },
      },
    ])
    await using test = await testEngine({ model, storage, session: first.session })

    expect(answerText(await test.engine.resume(first.session.id))).toBe("Here I am.")
    await first[Symbol.asyncDispose]()
  })

  it("keeps two engines in one process apart", async () => {
    await using one = await testEngine({ model: scriptedModel([[text("One."), finish("stop")]]) })
    await using two = await testEngine({ model: scriptedModel([[text("Two."), finish("stop")]]) })

    const answers = await Promise.all([one.ask("Go"), two.ask("Go")])

    expect(answers.map((answer) => answerText(answer))).toEqual(["One.", "Two."])
    expect(
      two.events.every((event) => !("sessionID" in event.properties) || event.properties.sessionID === two.session.id),
    ).toBe(true)
  })
})

describe("permission", () => {
  const scripted = () =>
    scriptedModel([
      [call("push", {}), finish("tool-calls")],
      [text("Well."), finish("stop")],
    ])
  const rule = (action: "allow" | "ask" | "deny") => [{ permission: "push", pattern: "*", action }]

  it("denied by a rule is an error that the model reads", async () => {
    const model = scripted()
    let ran = false
    await using test = await testEngine({
      model,
      permission: [{ name: "configuration", rules: rule("deny") }],
      tools: [testTool("push", async () => ((ran = true), ""))],
    })

    expect(answerText(await test.ask("Go"))).toBe("Well.")
    expect(ran).toBe(false)
    expect(lastToolResults(model.requests[1])).toMatchObject([
      { isError: true, output: expect.stringMatching(/configuration.*denies push/) },
    ])
  })

  it("denied by one scope is not allowed by a later one, and a scope of another agent does not count", async () => {
    const model = scripted()
    await using test = await testEngine({
      model,
      permission: [
        { name: "the user's file", rules: rule("deny") },
        { name: "the project's file", rules: rule("allow") },
        { name: "of another agent", agent: "other", rules: rule("allow") },
      ],
      tools: [testTool("push", async () => "")],
    })
    const open = scripted()
    await using other = await testEngine({
      model: open,
      permission: [{ name: "of another agent", agent: "other", rules: rule("deny") }],
      tools: [testTool("push", async () => "pushed")],
    })

    await Promise.all([test.ask("Go"), other.ask("Go")])

    expect(lastToolResults(model.requests[1])).toMatchObject([
      { isError: true, output: expect.stringContaining("(the user's file) denies push") },
    ])
    expect(lastToolResults(open.requests[1])).toMatchObject([{ output: "pushed" }])
  })

  it("stops the run where nobody can be asked", async () => {
    const model = scripted()
    await using test = await testEngine({
      model,
      permission: [{ name: "configuration", rules: rule("ask") }],
      tools: [testTool("push", async () => "")],
    })

    expect(await test.ask("Go")).toMatchObject({
      type: "refused",
      error: { data: { permission: "push", pattern: "*" } },
    })
    expect(model.requests).toHaveLength(1)
    expect(await test.parts("tool")).toMatchObject([{ state: { status: "error" } }])
  })

  it.each([
    ["once", 2],
    ["always", 1],
  ] as const)("answered %s is asked %i times for two calls", async (reply, times) => {
    const model = scriptedModel([
      [call("push", {}), finish("tool-calls")],
      [call("push", {}), finish("tool-calls")],
      [text("Done."), finish("stop")],
    ])
    let asked = 0
    const ask: AskPermission = async () => (asked++, reply)
    await using test = await testEngine({
      model,
      ask,
      permission: [{ name: "configuration", rules: rule("ask") }],
      tools: [testTool("push", async () => "pushed")],
    })

    expect(answerText(await test.ask("Go"))).toBe("Done.")
    expect(asked).toBe(times)
  })
})

describe("the request", () => {
  it("of each step begins with the one before it, also across a restart", async () => {
    const replies = () =>
      Array.from({ length: 20 }, (_, n) => [text(`Step ${n}`), call("count", { n }), finish("tool-calls")])
    const tools = [testTool("count", async ({ n }) => `result ${String(n)}`)]
    const storage = memoryStorage()
    const first = scriptedModel([...replies(), [text("Half time."), finish("stop")]])
    const one = await testEngine({ model: first, storage, tools })
    await one.ask("Count")
    const second = scriptedModel([...replies(), [text("Done."), finish("stop")]])
    await using two = await testEngine({ model: second, storage, tools, session: one.session })
    await two.ask("Go on")

    const sent = [...first.requests, ...second.requests].map(({ system, tools: offered, messages }) =>
      JSON.stringify({ system, offered, messages }).slice(0, -2),
    )
    expect(sent).toHaveLength(42)
    for (const [index, request] of sent.slice(1).entries()) expect(request.startsWith(sent[index] ?? "?")).toBe(true)
    await one[Symbol.asyncDispose]()
  })
})

it("refuses an unknown model, agent or session before anything is stored", async () => {
  await using test = await testEngine({ model: scriptedModel([]) })
  const parts = [{ type: "text" as const, text: "Go" }]
  const sessionID = test.session.id
  const wrong = { providerID: "acme", modelID: "large" }

  await expect(test.engine.prompt({ sessionID, parts, model: wrong })).rejects.toThrow(
    /Provider "acme" is not known. Known: /,
  )
  await expect(test.engine.prompt({ sessionID, parts, agent: "poet" })).rejects.toThrow(
    /Agent "poet" is not known. Known: build/,
  )
  await expect(test.engine.prompt({ sessionID: "ses_none", parts })).rejects.toThrow(NotFoundError)
  expect(await test.messages()).toEqual([])
})

it.each([
  ["nothing", []],
  ["white space", [{ type: "text", text: " \n" }]],
  ["what only people read", [{ type: "text", text: "A note.", ignored: true }]],
  ["a text file alone, whose text is missing", [{ type: "file", mime: "text/plain", url: "file:///a.txt" }]],
] as const)("refuses a prompt of %s", async (_what, parts) => {
  await using test = await testEngine({ model: scriptedModel([]) })
  await expect(test.engine.prompt({ sessionID: test.session.id, parts })).rejects.toThrow(/prompt is empty/)
  expect(await test.messages()).toEqual([])
})

it("sends no empty block of the system prompt", async () => {
  const model = scriptedModel([[text("Yes."), finish("stop")]])
  const addBlank = {
    "chat.system.transform": (_input: unknown, output: { system: string[] }) => void output.system.push(" "),
  }
  await using test = await testEngine({
    model,
    agents: [{ name: "build", prompt: "" }],
    plugins: [{ id: "blank", plugin: () => addBlank }],
  })
  await test.engine.prompt({ sessionID: test.session.id, parts: [{ type: "text", text: "Go" }], system: "Be brief." })

  expect(model.requests[0]?.system).toEqual([expect.stringContaining("<env>"), "Be brief."])
})

it("leaves the project's directory as it was", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-clean-"))
  await writeFile(join(directory, "only.txt"), "mine")
  await using test = await testEngine({ model: scriptedModel([[text("Hi."), finish("stop")]]) })
  const session = await test.engine.createSession({ directory })
  await test.engine.prompt({ sessionID: session.id, parts: [{ type: "text", text: "Go" }] })

  expect(await readFile(join(directory, "only.txt"), "utf8")).toBe("mine")
  await rm(directory, { recursive: true })
})

function answerText(result: RunResult): string | undefined {
  if (result.type !== "answered") throw new Error(`The run ended as ${JSON.stringify(result).slice(0, 500)}`)
  const part = result.answer.parts.find((each) => each.type === "text")
  return part?.type === "text" ? part.text : undefined
}

function lastToolResults(
  request: { messages: readonly { readonly role: string; readonly content: unknown }[] } | undefined,
): unknown {
  return request?.messages.findLast(({ role }) => role === "tool")?.content
}

function abortAt(test: Awaited<ReturnType<typeof testEngine>>, when: (event: (typeof test.events)[number]) => boolean) {
  const unsubscribe = test.engine.subscribe((event) => {
    if (!when(event)) return
    unsubscribe()
    void test.engine.abort(test.session.id)
  })
}

function isRunningTool(part: { type: string }): boolean {
  return part.type === "tool" && (part as ToolPart).state.status === "running"
}

function rejectOnAbort(signal: AbortSignal): Promise<string> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)))
}

function withoutRenewal<L extends { renew(): Promise<void> } | undefined>(lease: L): L {
  return lease ? { ...lease, renew: async () => {} } : lease
}

/** The record as another process would find it: without the leases of this one. */
async function copied(storage: ReturnType<typeof memoryStorage>, id: `ses_${string}`) {
  const copy = memoryStorage()
  const { session, messages } = await storage.readContext(id)
  await copy.commit(id, [{ type: "session.put", session }])
  for (const { info, parts } of messages) {
    await copy.commit(id, [
      { type: "message.put", message: info },
      ...parts.map((part) => ({ type: "part.put" as const, part })),
    ])
  }
  return copy
}
