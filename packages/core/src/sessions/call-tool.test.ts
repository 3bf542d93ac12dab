import { describe, expect, it } from "vitest"
import { memoryStorage } from "@pawl/storage-memory"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { dying } from "../../test/storages.ts"
import { called, said } from "../../test/streaming-model.ts"
import { SessionBusyError } from "../base/errors.ts"

const shell = testTool("bash", async ({ command }) => `ran ${String(command)}`)
const ls = { tool: "bash", input: { command: "ls" } }

describe("a call that the user asks for", () => {
  it("runs without the model, which reads it with the next prompt", async () => {
    const model = answeringModel(() => said("Two files."))
    await using test = await testEngine({ model, tools: [shell] })
    const sessionID = test.session.id

    const { info, parts } = await test.engine.callTool({ sessionID, ...ls })

    expect(info).toMatchObject({
      role: "assistant",
      finish: "stop",
      agent: "build",
      time: { completed: expect.any(Number) },
    })
    expect(parts.at(-1)).toMatchObject({ tool: "bash", state: { status: "completed", output: "ran ls" } })
    expect(model.requests).toEqual([])
    expect(await test.ask("How many?")).toMatchObject({ type: "answered" })
    const told = JSON.stringify(model.requests[0]?.messages)
    expect(told.indexOf("ran this call directly")).toBeLessThan(told.indexOf("ran ls"))
    expect(told.indexOf("ran ls")).toBeLessThan(told.indexOf("How many?"))
  })

  it("is stored in one commit with a session that is a draft", async () => {
    await using test = await testEngine({ model: answeringModel(() => said("")), tools: [shell] })
    const session = test.engine.session({ directory: test.session.directory })
    const { parts } = await session.callTool("bash", { command: "pwd" })
    expect(parts.at(-1)).toMatchObject({ state: { output: "ran pwd" } })
    expect(await session.info()).toMatchObject({ id: session.id, agent: "build" })
  })

  it("is under the agent's rules", async () => {
    const permission = [
      { name: "configuration", rules: [{ permission: "bash", pattern: "*", action: "deny" }] },
    ] as const
    const judged = testTool("bash", async () => "ran", {
      permissions: () => [{ permission: "bash", patterns: ["ls"], always: ["ls"], metadata: {} }],
    })
    await using test = await testEngine({ model: answeringModel(() => said("")), tools: [judged], permission })
    const { info, parts } = await test.engine.callTool({ sessionID: test.session.id, ...ls })
    expect(parts.at(-1)).toMatchObject({ state: { status: "error" } })
    expect(info.time.completed).toBeDefined()
  })

  it("is refused while the session works", async () => {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const wait = testTool("wait", async () => {
      begun.resolve()
      await released.promise
      return "ok"
    })
    const model = answeringModel(({ n }) => (n === 0 ? [called("wait")] : said("Done.")))
    await using test = await testEngine({ model, tools: [shell, wait] })
    const asked = test.ask("Begin")
    await begun.promise
    await expect(test.engine.callTool({ sessionID: test.session.id, ...ls })).rejects.toThrow(SessionBusyError)
    released.resolve()
    await asked
    expect((await test.parts("tool")).map(({ tool }) => tool)).toEqual(["wait"])
  })

  it("ends with an abort, and the next prompt is answered", async () => {
    const begun = Promise.withResolvers<void>()
    const slow = testTool("bash", async (_input, { signal }) => {
      begun.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)))
    })
    await using test = await testEngine({ model: answeringModel(() => said("Yes.")), tools: [slow] })
    const called = test.engine.callTool({ sessionID: test.session.id, ...ls })
    await begun.promise
    await test.engine.abort(test.session.id)
    expect((await called).parts.at(-1)).toMatchObject({ state: { status: "error" } })
    expect(await test.ask("Go on")).toMatchObject({ type: "answered" })
  })

  it("cannot be made in a session that does not exist, nor by a hidden agent", async () => {
    await using test = await testEngine({ model: answeringModel(() => said("")), tools: [shell] })
    await expect(test.engine.callTool({ sessionID: "ses_missing", ...ls })).rejects.toThrow("ses_missing")
    const call = test.engine.callTool({ sessionID: test.session.id, ...ls, agent: "title" })
    await expect(call).rejects.toThrow("title")
    expect(await test.messages()).toEqual([])
  })

  it("runs once, whichever commit a crash follows, and the model is never asked about it", async () => {
    for (let commits = 1; commits < 12; commits++) {
      const storage = memoryStorage()
      let runs = 0
      const counting = testTool("bash", async () => `run ${++runs}`)
      const model = answeringModel(() => said("No."))
      const first = await testEngine({ model, storage: dying(storage, (n) => n >= commits), tools: [counting] })
      await first.engine.callTool({ sessionID: first.session.id, ...ls }).catch(() => undefined)
      await first.engine.close().catch(() => undefined)
      await using second = await testEngine({ model, storage, session: first.session, tools: [counting] })
      await second.engine.resume(first.session.id)
      expect(runs).toBeLessThanOrEqual(1)
      expect(model.requests).toEqual([])
      const [call] = await second.parts("tool")
      if (call) expect(["completed", "error"]).toContain(call.state.status)
      if (runs === 0) expect(call).toBeUndefined()
    }
  })
})
