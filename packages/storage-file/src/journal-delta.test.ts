import {
  messageID,
  partID,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { SimulatedDisk } from "../test/simulated-disk.ts"
import { createStorage } from "./file-storage.ts"
import { createDeltaReader, toDelta } from "./journal-delta.ts"
import { currentProcess } from "@pawl/storage-kit"

const long = "It grows. ".repeat(100)

it.each([
  ["grows at its end", long, `${long}and more`],
  ["grows within", `${long}"}`, `${long}é\n"}`],
  ["changes within a character of two units", `${long}\u{1f600}${long}`, `${long}\u{1f601}${long}`],
  ["repeats itself", "a".repeat(1000), "a".repeat(1001)],
  ["gets shorter", `${long}${long}`, long],
])("names what is new in text that %s", (_, before, after) => {
  const delta = toDelta(before, after)
  expect(delta?.[1].length).toBeLessThan(20)
  const inFull = createDeltaReader()
  expect(inFull([["path", before]])).toEqual([["path", before]])
  const written = JSON.parse(JSON.stringify([["path", delta]])) as [string, NonNullable<typeof delta>][]
  expect(inFull(written)).toEqual([["path", after]])
})

it("writes what is short or has little in common in full", () => {
  expect(toDelta("short", "shorter")).toBeUndefined()
  expect(toDelta(long, "x".repeat(2000))).toBeUndefined()
})

it("has a record that two handles write by turns after a power cut, as it was last", async () => {
  const disk = new SimulatedDisk()
  const living = currentProcess()
  const open = (self = living) => createStorage({ path: "/simulated" }, { fs: disk, self })
  const [first, second] = [await open(), await open()]
  const [session, message] = [sessionID(1), messageID(1)]
  await first.commit(session, [
    { type: "session.put", session: sampleSession(session) },
    { type: "message.put", message: sampleUserMessage(session, message) },
  ])
  for (const [storage, text] of [
    [first, `${long}1`],
    [first, `${long}12`],
    [second, `${long}first${long}`],
    [second, `${long}second${long}`],
    [first, `${long}12${long}3`],
    [first, `${long}12${long}34`],
  ] as const) {
    await storage.commit(session, [{ type: "part.put", part: sampleText(session, message, partID(1), { text }) }])
  }
  const left = disk.next({ bytes: () => "lost", names: () => "lost" })
  const next = await createStorage({ path: "/simulated" }, { fs: left, self: { ...living, boot: "the next" } })
  const [part] = (await next.readContext(session)).messages[0]?.parts ?? []
  expect(part).toMatchObject({ text: `${long}12${long}34` })
})
