import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sqliteStorage } from "../../../storage-sqlite/src/index.ts"
import { type Child, startChild } from "../../../storage-testkit/src/processes/index.ts"
import { temporaryDirectory } from "../../test/storages.ts"
import { createIDSource } from "../base/ids.ts"
import type { Session } from "../record/message.ts"

const script = new URL("../../test/question-process.ts", import.meta.url)
const start = (...args: string[]) => startChild(script, args, { conditions: ["@pawl/source"] })

async function next(child: Child): Promise<Record<string, unknown>> {
  const { value, done } = await child.lines.next()
  if (done) throw new Error(`It ended: ${(await child.ended).stderr}`)
  return JSON.parse(value) as Record<string, unknown>
}

async function place() {
  const directory = await temporaryDirectory()
  const path = join(directory, "pawl.db")
  const effects = join(directory, "effects")
  const id = createIDSource(Date.now).session()
  const time = { created: 1, updated: 1 }
  const session: Session = { id, projectID: "global", directory, title: "t", version: "1", time }
  const storage = await sqliteStorage({ path })
  await storage.commit(id, [{ type: "session.put", session }])
  await storage.close()
  const readEffects = () => readFile(effects, "utf8").catch(() => "")
  return { path, id, effects, readEffects }
}

it("a question outlives its process, is answered once, and its call takes effect once", async () => {
  const { path, id, effects, readEffects } = await place()
  const owner = start("ask", path, id, effects)
  const { asked } = await next(owner)
  owner.process.kill("SIGKILL")
  await owner.ended

  const answers = [start("answer", path, id, String(asked), "once"), start("answer", path, id, String(asked), "once")]
  const told = await Promise.all(answers.map((child) => next(child)))
  expect(told).toContainEqual({ answered: "once" })
  expect(told).toContainEqual({ error: "QuestionClosedError" })
  expect(await readEffects()).toBe("")

  const later = start("resume", path, id, effects)
  expect(await next(later)).toMatchObject({ type: "answered" })
  await later.ended
  expect(await readEffects()).toBe("effect\n")
  const again = start("resume", path, id, effects)
  expect(await next(again)).toMatchObject({ type: "answered" })
  expect(await readEffects()).toBe("effect\n")
})

it("an answer of another process reaches the one that waits", async () => {
  const { path, id, effects, readEffects } = await place()
  const owner = start("ask", path, id, effects)
  const { asked } = await next(owner)
  const answer = start("answer", path, id, String(asked), "once")
  expect(await next(answer)).toEqual({ answered: "once" })
  expect(await next(owner)).toMatchObject({ type: "answered" })
  expect(await readEffects()).toBe("effect\n")
})
