import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { answeringModel, lastPrompt } from "../../test/answering-model.ts"
import { testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import { taskTool } from "../../test/task-tool.ts"
import { rounds } from "../../test/rounds.ts"
import { seeded } from "../../test/seeded.ts"
import { createEngine } from "../create-engine.ts"
import { collected } from "../base/collected.ts"
import type { SubagentResult } from "../contracts/tool.ts"
import { readOutcome } from "./outcome.ts"

const CHILDREN = 3

/** One turn with subagents that is aborted at some moment, or not. */
async function interleave(random: () => number): Promise<{ finished: number; wasAborted: boolean }> {
  const storage = memoryStorage()
  const results: { readonly key: string; readonly result: SubagentResult }[] = []
  let isAborted = false
  let late = 0
  const pause = async () => {
    for (let ticks = Math.floor(random() * 12); ticks > 0; ticks--) {
      await (random() < 0.5 ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve)))
    }
  }
  const model = answeringModel(async function* ({ request, n }) {
    await pause()
    if (lastPrompt(request) !== "Begin")
      yield* n === 0 ? [called("step", {}, "s")] : said(`Did ${lastPrompt(request)}.`)
    else if (n > 0) yield* said("Done.")
    else for (let at = 0; at < CHILDREN; at++) yield called("task", { prompt: String(at) }, `c${at}`)
  })
  const step = testTool("step", async () => {
    if (isAborted) late++
    await pause()
    return "ok"
  })
  const task = taskTool((result, { idempotencyKey: key }) => results.push({ key, result }))
  const engine = await createEngine({
    ...{ storage, tools: [step, task], model: model.ref, environment: {} },
    providers: [{ id: "answers", name: "test", models: async () => [model.info], model: async () => model }],
  })
  const { id } = await engine.createSession({ directory: "/nowhere" })
  const asked = engine.prompt({ sessionID: id, parts: [{ type: "text", text: "Begin" }] })
  const wasAborted = random() < 0.8
  if (wasAborted) {
    for (let times = Math.floor(random() * 8); times > 0; times--) await pause()
    if (random() < 0.5) await engine.abort(id)
    else {
      const [child] = await engine.children(id)
      await engine.abort(child?.id ?? id)
      await pause()
      await engine.abort(id)
    }
    isAborted = true
  }
  const { type } = await asked

  for await (const session of storage.listSessions()) {
    for (const { info, parts } of await collected(storage.readMessages(session.id))) {
      expect(info.role === "user" || info.time.completed !== undefined).toBe(true)
      for (const part of parts) if (part.type === "tool") expect(part.state.status).toMatch(/^(completed|error)$/)
    }
  }
  for (const { key, result } of results) {
    const child = await storage.getSession(result.sessionID)
    expect(child && readOutcome(child, key)?.status).toBe(result.status)
  }
  // Whatever the parent has heard of: what an agent has said to its end is stored as that.
  for (const child of await engine.children(id)) {
    const [newest] = await collected(storage.readMessages(child.id, { limit: 1 }))
    const { delegation } = child
    if (newest?.info.role !== "assistant" || newest.info.finish !== "stop" || newest.info.error) continue
    const outcome = readOutcome(child, `${id}/${delegation?.messageID}/${delegation?.callID}`)
    expect(outcome?.status).toBe("completed")
  }
  // Where the abort came before the run, it had nothing to end.
  if (type === "aborted") expect(late).toBe(0)
  await engine.close()
  return { finished: results.length, wasAborted }
}

it("whenever a parent or a child is aborted, all comes to an end and no result is lost", async () => {
  const random = seeded(11)
  const all = rounds(1000)
  let [finished, aborted] = [0, 0]
  for (let round = 0; round < all; round += 20) {
    for (const one of await Promise.all(Array.from({ length: 20 }, () => interleave(random)))) {
      finished += one.finished
      aborted += Number(one.wasAborted)
    }
  }
  expect(finished).toBeGreaterThan(0.6 * all)
  expect(aborted).toBeGreaterThan(0.6 * all)
})
