import { createEngine } from "@pawl/core"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { newID, session, store, turn } from "../test/sessions.ts"
import { exportSession } from "./export.ts"
import { importSession } from "./import.ts"
import { isUnfinished, unfinished, withoutMark } from "./unfinished.ts"

it("marks one session only: a fork that was given its metadata is not taken for an unfinished transfer", async () => {
  const storage = memoryStorage()
  const stored = unfinished(session())
  await store(storage, stored, turn(stored.id, "x"))
  await using engine = await createEngine({ storage, providers: [] })

  const fork = await engine.forkSession({ sessionID: stored.id })

  expect([stored, fork].map(isUnfinished)).toEqual([true, false])
})

it("is the same session again without its mark", () => {
  const whole = session({ title: "A", metadata: { mine: 1 } })
  expect(withoutMark(unfinished(whole))).toEqual({ title: "A", metadata: { mine: 1 } })
  expect(withoutMark(whole)).toEqual({ title: "A", metadata: { mine: 1 } })
  expect(withoutMark({ title: "B" })).toEqual({ title: "B", metadata: {} })
})

it.each(["keep", "new"] as const)("is told when it was exported before it was whole (ids: %s)", async (ids) => {
  const storage = memoryStorage()
  const stored = unfinished(session({ id: newID.session() }))
  await store(storage, stored, turn(stored.id, "x"))
  const target = memoryStorage()

  const { warnings, sessions } = await importSession(target, await exportSession(storage, stored.id), { ids })

  expect(warnings).toEqual([expect.stringContaining("before all of it had arrived there: messages are missing.")])
  const imported = sessions[0] && (await target.getSession(sessions[0].id))
  expect(imported && isUnfinished(imported)).toBe(true)
})
