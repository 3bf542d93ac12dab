import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { currentProcess } from "@pawl/storage-kit"
import {
  messageID,
  partID,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { expect, it, onTestFinished } from "vitest"
import { createStorage } from "../src/file-storage.ts"
import { type FileSystem } from "../src/file-system.ts"
import { nodeFileSystem } from "../src/node-file-system.ts"
import { temporaryDirectory } from "./place.ts"

const session = sessionID(1)
const MESSAGES = 300
const first = messageID(1)

/** A storage whose files were all written a while ago, and how many records it reads from their own files. */
async function open(path: string, changes: Partial<FileSystem> = {}) {
  const fs = nodeFileSystem(path)
  const reads: string[] = []
  const watched: FileSystem = {
    ...fs,
    sync: async () => {},
    status(file) {
      const status = fs.status(file)
      return status && { ...status, changed: status.changed - 1000, touched: status.touched - 1000 }
    },
    readFile(file) {
      if (/^(?:message|part)\//.test(file)) reads.push(file)
      return fs.readFile(file)
    },
    ...changes,
  }
  const storage = await createStorage({ path, durability: "async" }, { fs: watched, self: currentProcess() })
  onTestFinished(() => storage.close())
  return { storage, reads, context: () => storage.readContext(session) }
}

async function filled() {
  const path = temporaryDirectory()
  const { storage } = await open(path)
  await storage.commit(session, [{ type: "session.put", session: sampleSession(session) }])
  const numbers = Array.from({ length: MESSAGES }, (_, index) => index + 1)
  await storage.commit(
    session,
    numbers.flatMap((number) => [
      { type: "message.put", message: sampleUserMessage(session, messageID(number)) },
      { type: "part.put", part: sampleText(session, messageID(number), partID(number), { text: `Text ${number}` }) },
    ]),
  )
  await storage.close()
  return { path, pack: join(path, ".pawl/pack", session), part: join(path, "part", first, `${partID(1)}.json`) }
}

/** Reads once from the files, which leaves a pack. */
async function packed() {
  const place = await filled()
  const { context, reads, storage } = await open(place.path)
  const before = await context()
  expect(reads).toHaveLength(2 * MESSAGES)
  await storage.close()
  expect(existsSync(place.pack)).toBe(true)
  return { ...place, before }
}

it("reads a long context from one file the second time", async () => {
  const { path, before } = await packed()
  const { context, reads } = await open(path)
  expect(await context()).toEqual(before)
  expect(reads).toEqual([])
})

it("reports a damaged part each time, and packs the messages beside it", async () => {
  const { path, part, pack } = await filled()
  truncateSync(part, 10)
  for (let reading = 0; reading < 2; reading++) {
    const { context, storage } = await open(path)
    expect((await context()).damaged).toMatchObject([{ subject: partID(1) }])
    await storage.close()
    expect(existsSync(pack)).toBe(true)
  }
})

it.each([
  [
    "is changed",
    (file: string) => writeFileSync(file, readFileSync(file, "utf8").replace("Text 1", "Edit 1")),
    1,
    "Edit 1",
  ],
  ["is removed", (file: string) => rmSync(file), 1, undefined],
  ["gets another beside it", (file: string) => copyPart(file), 2, "Text 1"],
] as const)(
  "sees that a file %s by hand, and reads that message alone from its files",
  async (_what, change, parts, text) => {
    const { path, part } = await packed()
    change(part)
    const { context, reads } = await open(path)
    const [message] = (await context()).messages
    expect(message?.parts.slice(0, parts).map((each) => each.type === "text" && each.text)).toEqual(
      text === undefined ? [] : [text, ...(parts === 2 ? ["Another"] : [])],
    )
    expect(reads.every((file) => file.includes(first))).toBe(true)
  },
)

function copyPart(file: string): void {
  const copy = readFileSync(file, "utf8").replaceAll(partID(1), partID(900)).replace("Text 1", "Another")
  writeFileSync(file.replace(partID(1), partID(900)), copy)
}

it("follows commits, and reports what cannot be read each time", async () => {
  const { path, part } = await packed()
  writeFileSync(part, "{")
  const { storage, context } = await open(path)
  await storage.commit(session, [{ type: "message.remove", messageID: messageID(2) }])
  await storage.commit(session, [
    { type: "part.put", part: sampleText(session, messageID(3), partID(3), { text: "Put again" }) },
  ])
  for (let time = 0; time < 2; time++) {
    const { messages, damaged } = await context()
    expect(messages.map(({ info }) => info.id)).not.toContain(messageID(2))
    expect(messages[1]?.parts).toMatchObject([{ text: "Put again" }])
    expect(damaged).toMatchObject([{ subject: partID(1) }])
  }
})

it.each([
  ["is cut off", (pack: string) => truncateSync(pack, 10_000)],
  ["holds something else", (pack: string) => writeFileSync(pack, "[]\n".repeat(1000))],
  ["is empty", (pack: string) => truncateSync(pack, 0)],
  [
    "is changed in a byte",
    (pack: string) => writeFileSync(pack, readFileSync(pack, "utf8").replace("Text 1", "Text X")),
  ],
])("reads the same from the files when the pack %s", async (_what, damage) => {
  const { path, pack, before } = await packed()
  damage(pack)
  expect(await (await open(path)).context()).toEqual(before)
})

it("packs no file that has changed just now: it may change again without a new time", async () => {
  const { path, pack } = await filled()
  const fs = nodeFileSystem(path)
  const { context } = await open(path, {
    status: (file) => {
      const status = fs.status(file)
      return status && { ...status, touched: Date.now() }
    },
  })
  await context()
  expect(readFileSync(pack, "utf8")).toBe("")
})

it("reads the context where no pack can be written, and leaves nothing of it", async () => {
  const { path, pack } = await filled()
  const { context } = await open(path, {
    append() {
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })
    },
  })
  expect((await context()).messages).toHaveLength(MESSAGES)
  expect(existsSync(pack)).toBe(false)
  expect(readdirSync(join(path, ".pawl/tmp"))).toEqual([])
})

it("removes the pack with its session, and at a rebuild", async () => {
  const { path, pack } = await packed()
  const { storage, context } = await open(path)
  await storage.rebuild()
  expect(existsSync(pack)).toBe(false)
  await context()
  expect(existsSync(pack)).toBe(true)
  await storage.removeSession(session)
  expect(existsSync(pack)).toBe(false)
})
