import type { MessageWithParts, Part } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { model, newID, session, store, turn } from "../test/sessions.ts"
import { exportSession } from "./export.ts"
import { importSession } from "./import.ts"
import { projectionHash } from "./projection-hash.ts"

const root = session()
const messages = turn(root.id, "x")

async function hashOf(changed: readonly MessageWithParts[], fields: object = {}, asked = model): Promise<string> {
  const storage = memoryStorage()
  await store(storage, { ...root, ...fields }, changed)
  return projectionHash(storage, root.id, asked)
}

/** The messages with every part of a type changed. */
function withPart<Type extends Part["type"]>(
  type: Type,
  change: (part: Extract<Part, { type: Type }>) => Part,
): MessageWithParts[] {
  const isOfType = (part: Part): part is Extract<Part, { type: Type }> => part.type === type
  return messages.map(({ info, parts }) => ({
    info,
    parts: parts.map((part) => (isOfType(part) ? change(part) : part)),
  }))
}

it("changes with what a request is made from", async () => {
  const hashes = [
    await hashOf(messages),
    await hashOf(messages.slice(0, 1)),
    await hashOf(withPart("text", (part) => ({ ...part, text: "y" }))),
    await hashOf(withPart("text", (part) => ({ ...part, ignored: true }))),
    await hashOf(withPart("tool", (part) => ({ ...part, callID: "call_2" }))),
    await hashOf(withPart("reasoning", (part) => ({ ...part, metadata: { signature: "y" } }))),
    await hashOf(messages, {}, { providerID: "acme", modelID: "small" }),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
})

it("does not change with what no model sees", async () => {
  const hash = await hashOf(messages)
  expect(await hashOf(messages, { title: "Another", time: { created: 1, updated: 2 } })).toBe(hash)
  expect(await hashOf(withPart("text", (part) => ({ ...part, time: { start: 7, end: 9 } })))).toBe(hash)
  const step = {
    id: "prt_z",
    sessionID: root.id,
    messageID: messages[1]?.info.id ?? "msg_",
    type: "step-start",
  } as const
  expect(
    await hashOf(messages.map(({ info, parts }, at) => ({ info, parts: at === 1 ? [...parts, step] : parts }))),
  ).toBe(hash)
})

it("counts thoughts for the model that had them only", async () => {
  const other = { providerID: "acme", modelID: "small" }
  const changed = withPart("reasoning", (part) => ({ ...part, text: "another thought" }))
  expect(await hashOf(changed)).not.toBe(await hashOf(messages))
  expect(await hashOf(changed, {}, other)).toBe(await hashOf(messages, {}, other))
})

it("begins at the boundary", async () => {
  const tail = turn(root.id, "tail")
  const boundary = tail[0]?.info.id
  expect(await hashOf([...messages, ...tail], { boundary })).toBe(await hashOf(tail, { boundary }))
})

it("does not depend on ids, also where a repeated call is known by its part's", async () => {
  const twice = messages.map(({ info, parts }) => ({
    info,
    parts: parts.flatMap((part): Part[] => (part.type === "tool" ? [part, { ...part, id: newID.part() }] : [part])),
  }))
  const storage = memoryStorage()
  await store(storage, root, twice)
  const target = memoryStorage()
  const { sessions } = await importSession(target, await exportSession(storage, root.id), { ids: "new" })
  const copy = sessions[0]?.id ?? root.id

  expect(copy).not.toBe(root.id)
  expect(await projectionHash(target, copy, model)).toBe(await projectionHash(storage, root.id, model))
})
