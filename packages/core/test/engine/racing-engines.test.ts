import { setTimeout as sleep } from "node:timers/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
// By its place: core must not depend on a storage.
import { sqliteStorage } from "../../../storage-sqlite/src/index.ts"
import { answeringModel, lastPrompt } from "../answering-model.ts"
import { testTool } from "../engine-fixture.ts"
import { temporaryDirectory } from "../storages.ts"
import { called, said } from "../streaming-model.ts"
import { taskTool } from "../task-tool.ts"
import { seeded } from "../seeded.ts"
import { type Engine } from "../../src/engine.ts"
import { createEngine } from "../../src/create-engine.ts"
import type { Storage } from "../../src/contracts/storage.ts"
import { collected } from "../../src/base/collected.ts"

type Random = () => number

/** An engine whose model edits, asks and hands work over as it comes. */
function start(storage: Storage, random: Random, effects: string[]): Promise<Engine> {
  let calls = 0
  const call = (name: string) => called(name, { prompt: "dig" }, `${name}-${calls++}-${random()}`)
  const model = answeringModel(async function* ({ request, signal }) {
    await sleep(random() * 10, undefined, { signal })
    const isChild = lastPrompt(request) === "dig"
    const turns: (() => ReturnType<typeof said>)[] = [
      () => [call("edit"), call("risky")],
      () => [call("risky")],
      () => (isChild ? said("Dug.") : [call("task")]),
    ]
    const turn = request.messages.at(-1)?.role === "tool" ? undefined : turns[Math.floor(random() * 4)]
    yield* turn ? turn() : said("Yes.")
  })
  const effect = (name: string) =>
    testTool(name, async (_input, { idempotencyKey, signal }) => {
      effects.push(idempotencyKey)
      await sleep(random() * 15, undefined, { signal })
      return "done"
    })
  return createEngine({
    ...{ storage, model: model.ref, environment: {}, askPolicy: "wait", random: () => 0 },
    providers: [{ id: "answers", name: "test", models: async () => [model.info], model: async () => model }],
    tools: [effect("edit"), effect("risky"), taskTool()],
    permission: [{ name: "test", rules: [{ permission: "risky", pattern: "*", action: "ask" }] }],
  })
}

/** Two engines work on one session of one file. Resolves with what was found wrong, and with what was acknowledged. */
async function race(random: Random) {
  const path = join(await temporaryDirectory(), "pawl.db")
  const effects: string[] = []
  const stores = [await sqliteStorage({ path }), await sqliteStorage({ path })] as const
  const engines = [await start(stores[0], random, effects), await start(stores[1], random, effects)] as const
  const either = () => engines[random() < 0.5 ? 0 : 1]
  const { id: sessionID } = await engines[0].createSession({ directory: "/nowhere" })
  const work: Promise<unknown>[] = []
  // Many are refused: the other engine is at work, or has heard an answer.
  const begin = (asked: Promise<unknown>) => void work.push(asked.catch(() => undefined))
  const acknowledged: string[] = []
  const over = new AbortController()
  const answering = (async () => {
    while (!over.signal.aborted) {
      for (const question of await either().questions(sessionID)) {
        const answer = { type: "permission", reply: random() < 0.8 ? "once" : "reject" } as const
        begin(either().answer({ sessionID: question.sessionID, questionID: question.id, answer }))
      }
      await sleep(15)
    }
  })()
  const send = async (name: string) => {
    const delivery = ([undefined, "steer", "queue", "interrupt"] as const)[Math.floor(random() * 4)]
    const parts = [{ type: "text", text: name } as const]
    await either().prompt({ sessionID, parts, clientID: name, ...(delivery ? { delivery } : {}) })
    acknowledged.push(name)
  }
  for (let at = 0; at < 10; at++) {
    const choice = random()
    if (choice < 0.7) for (let times = random() < 0.2 ? 2 : 1; times > 0; times--) begin(send(`Prompt ${at}`))
    else if (choice < 0.8) begin(either().abort(sessionID))
    else if (choice < 0.9) begin(either().resume(sessionID))
    else begin(either().compact(sessionID))
    await sleep(random() * 25)
  }
  await Promise.all(work)
  const isLeft = async () => (await engines[0].queue(sessionID)).length > 0
  do await engines[0].resume(sessionID).catch(() => sleep(20))
  while (await isLeft())
  over.abort()
  await answering
  await Promise.all(work)

  const messages = await collected(stores[0].readMessages(sessionID))
  const said = messages.flatMap(({ info, parts }) => {
    return parts.flatMap((part) => (info.role === "user" && part.type === "text" && !part.synthetic ? [part.text] : []))
  })
  const open = messages.filter(({ info, parts }) => {
    const isOpen = parts.some((part) => part.type === "tool" && !["completed", "error"].includes(part.state.status))
    return isOpen || (info.role === "assistant" && info.time.completed === undefined)
  })
  const questions = await engines[0].questions(sessionID)
  await Promise.all(engines.map((engine) => engine.close()))
  await Promise.all(stores.map((store) => store.close()))
  return { effects, acknowledged, said, open, questions }
}

it("whatever two engines are asked for at once, each prompt is read once, and each call is made once and answered", async () => {
  const random = seeded(23)
  let count = 0
  for (let round = 0; round < 12; round++) {
    const { effects, acknowledged, said, open, questions } = await race(random)
    expect(new Set(effects).size).toBe(effects.length)
    expect(new Set(said).size).toBe(said.length)
    expect(said).toEqual(expect.arrayContaining(acknowledged))
    expect(open).toEqual([])
    expect(questions).toEqual([])
    count += acknowledged.length
  }
  expect(count).toBeGreaterThan(50)
})
