import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { session, store, turn } from "../../test/sessions.ts"
import { exportSession } from "../export.ts"
import { importSession } from "../import.ts"

/** A document of two messages, changed. */
async function changed(change: (document: Awaited<ReturnType<typeof exportSession>>) => void) {
  const storage = memoryStorage()
  const stored = session({ title: "x" })
  await store(storage, stored, turn(stored.id, "hello"))
  const document = structuredClone(await exportSession(storage, stored.id))
  change(document)
  return document
}

it.each([
  ["$.sessions[0].session.time.created", -1],
  ["$.sessions[0].session.time.updated", 8.65e15],
  ["$.sessions[0].messages[0].info.time.created", 1e300],
  ["$.sessions[0].messages[1].info.cost", -0.5],
  ["$.sessions[0].messages[1].info.tokens.input", -1],
  ["$.sessions[0].messages[1].info.tokens.cache.read", 2 ** 60],
])("refuses a document in which %s is %d", async (path, value) => {
  const document = await changed((each) => {
    const steps = path.split(/[.[\]]+/).slice(1)
    const last = steps.pop() ?? ""
    const parent = steps.reduce<Record<string, unknown>>(
      (at, step) => at[step] as Record<string, unknown>,
      each as unknown as Record<string, unknown>,
    )
    expect(parent[last]).toBeTypeOf("number")
    parent[last] = value
  })
  const storage = memoryStorage()
  await expect(importSession(storage, document)).rejects.toThrow(`at ${path}: ${value} is not a valid`)
  for await (const stored of storage.listSessions({})) expect(stored).toBeUndefined()
})

it("brings back what pawl itself put aside, whatever its numbers are", async () => {
  const document = await changed((each) => Object.assign(each.sessions[0]?.session.time ?? {}, { updated: -1 }))
  expect((await importSession(memoryStorage(), document, { origin: "here" })).sessions).toHaveLength(1)
})

it("takes what is at the bounds", async () => {
  const document = await changed((each) => {
    Object.assign(each.sessions[0]?.session.time ?? {}, { created: 0, updated: 8.64e15 })
  })
  expect((await importSession(memoryStorage(), document)).sessions).toHaveLength(1)
})
