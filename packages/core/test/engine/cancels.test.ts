import { join } from "node:path"
import { expect, it } from "vitest"
// By its place: core must not depend on a storage.
import { sqliteStorage } from "../../../storage-sqlite/src/index.ts"
import { answeringModel, lastPrompt, silence } from "../answering-model.ts"
import { testEngine, testTool } from "../engine-fixture.ts"
import { temporaryDirectory } from "../storages.ts"
import { called } from "../streaming-model.ts"
import { taskTool } from "../task-tool.ts"

const CANCELS = 200

it("200 runs are cancelled whatever they are at, without waiting for a deadline, and leave nothing open", async () => {
  const storage = await sqliteStorage({ path: join(await temporaryDirectory(), "pawl.db") })
  const work = ["stream", "hang", "risky", "task"]
  const model = answeringModel(({ request, n, signal }) => {
    const what = lastPrompt(request).split("\n")[0] ?? ""
    return what === "stream" || what === "sub" ? silence(signal) : [called(what, { prompt: "sub" }, `c${n}`)]
  })
  const hang = testTool("hang", (_input, { signal }) => {
    return new Promise((_done, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)))
  })
  const deadlines = { firstEvent: 0, idle: 0, tool: 0, subagent: 0, abort: 0, question: 0 }
  const permission = [{ name: "test", rules: [{ permission: "risky", pattern: "*", action: "ask" } as const] }]
  const tools = [hang, testTool("risky", async () => expect.fail("nobody has allowed it")), taskTool()]
  await using test = await testEngine({ model, storage, tools, permission, askPolicy: "wait", deadlines })
  for (let at = 0; at < CANCELS; at++) {
    const run = test.ask(work[at % work.length] ?? "")
    await new Promise((resolve) => setTimeout(resolve, at % 11))
    await test.engine.abort(test.session.id)
    expect(await run).toMatchObject({ type: "aborted" })
  }
  expect(await test.engine.questions(test.session.id)).toEqual([])
  for await (const { id } of storage.listSessions()) {
    for await (const { info, parts } of storage.readMessages(id)) {
      expect(info.role === "user" || info.time.completed !== undefined).toBe(true)
      for (const part of parts) if (part.type === "tool") expect(part.state.status).toBe("error")
    }
  }
  await storage.close()
})
