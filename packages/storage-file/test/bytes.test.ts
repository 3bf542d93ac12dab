import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleSession,
  sampleText,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { createStorage } from "../src/file-storage.ts"
import { nodeFileSystem } from "../src/node-file-system.ts"
import { currentProcess } from "@pawl/storage-kit"
import { openStorage, temporaryDirectory } from "./place.ts"

const session = sessionID(1)
const message = sampleAssistantMessage(session, messageID(1))
const part = (text: string) => ({
  type: "part.put" as const,
  part: sampleText(session, message.id, partID(1), { text }),
})

/** A storage that counts the bytes that it writes. */
async function openCounted(path: string) {
  const fs = nodeFileSystem(path)
  let written = 0
  const counted = {
    ...fs,
    write: (file: string, bytes: Uint8Array) => fs.write(file, counting(bytes)),
    append: (file: string, bytes: Uint8Array) => fs.append(file, counting(bytes)),
    overwrite: (file: string, position: number, bytes: Uint8Array) => fs.overwrite(file, position, counting(bytes)),
  }
  function counting(bytes: Uint8Array): Uint8Array {
    written += bytes.length
    return bytes
  }
  const storage = await createStorage({ path }, { fs: counted, self: currentProcess() })
  return { storage, written: () => written }
}

it("writes at most three times the size of an answer that grows in 40 steps, up to the files on the disk", async () => {
  const path = temporaryDirectory()
  const { storage, written } = await openCounted(path)
  await storage.commit(session, [{ type: "session.put", session: sampleSession(session) }])
  const before = written()
  const answer = 'It says "yes", \\ and\n'.padEnd(50, " so on").repeat(1000)
  await storage.commit(session, [{ type: "message.put", message }])
  for (let step = 1; step <= 40; step++) {
    await storage.commit(session, [part(answer.slice(0, (answer.length * step) / 40))])
  }
  await storage.commit(session, [{ type: "message.put", message: { ...message, finish: "stop" } }])
  await storage.close()

  const total = written() - before
  expect(total).toBeLessThanOrEqual(3 * answer.length)
  const [found] = (await (await openStorage(path)).readContext(session)).messages
  expect(found?.parts).toEqual([part(answer).part])
})

it("keeps the log of changes short, however often a record is written", async () => {
  const path = temporaryDirectory()
  const fs = { ...nodeFileSystem(path), sync: async () => {} }
  const deps = { fs, self: currentProcess(), longestJournal: 2000 }
  const options = { path, durability: "async" } as const
  const log = join(path, ".pawl/changes", session)
  let storage = await createStorage(options, deps)
  await storage.commit(session, [
    { type: "session.put", session: sampleSession(session) },
    { type: "message.put", message },
  ])
  let longest = 0
  for (let number = 1; number <= 600; number++) {
    await storage.commit(session, [part(`Text ${number}`)])
    if (number % 50 > 0) continue
    await storage.close()
    longest = Math.max(longest, statSync(log).size)
    storage = await createStorage(options, deps)
  }
  expect(longest).toBeLessThan(24_000)
  expect(readFileSync(log, "utf8").split("\n").length).toBeLessThan(400)
  expect((await storage.readChanges(session, 0)).map(({ type, revision }) => `${type} ${revision}`)).toEqual([
    "session.put 1",
    "message.put 1",
    "part.put 601",
  ])
  expect(await storage.readChanges(session, 601)).toEqual([])
  await storage.rebuild()
  expect(statSync(log).size).toBeLessThan(300)
  expect(await storage.commit(session, [])).toBe(602)
  expect((await storage.readChanges(session, 0)).map(({ revision }) => revision)).toEqual([1, 1, 601])
  await storage.close()

  storage = await createStorage(options, deps)
  await storage.rebuild()
  expect(await storage.commit(session, [])).toBe(603)
  await storage.close()
})
