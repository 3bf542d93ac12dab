import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it, onTestFinished } from "vitest"
import { testEngine } from "../../test/engine-fixture.ts"
import { ended, said, streamingModel } from "../../test/streaming-model.ts"
import type { ReadRemote } from "../context/instructions/remote.ts"
import type { Storage } from "../index.ts"
import { readPlace } from "./place.ts"

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-place-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function place(instructionFiles: string[], readRemote: ReadRemote) {
  const deps = { instructionFiles, readRemote, bus: { publish: () => undefined, subscribe: () => () => undefined } }
  return { deps, reader: readPlace(deps, { id: "ses_1", directory: await temporary() }) }
}

it("has begun where its files are read, and where an address makes it wait", async () => {
  let answer: ((text: string) => void) | undefined
  const readRemote: ReadRemote = (path) =>
    new Promise((resolve) => {
      answer = (text) => resolve({ type: "read", instruction: { path, text } })
    })
  const { reader } = await place(["https://rules.test/a.md"], readRemote)
  let isRead = false
  const read = reader.read().then((found) => {
    isRead = true
    return found
  })

  await reader.begun
  expect(isRead).toBe(false)
  answer?.("Be brief.")
  expect((await read).instructions).toEqual([{ path: "https://rules.test/a.md", text: "Be brief." }])
})

it("is read anew where the settings name other files", async () => {
  const readRemote: ReadRemote = async (path) => ({ type: "read", instruction: { path, text: path } })
  const { deps, reader } = await place(["https://rules.test/a.md"], readRemote)
  const paths = async () => (await reader.read()).instructions.map(({ path }) => path)

  expect(await paths()).toEqual(["https://rules.test/a.md"])
  deps.instructionFiles = ["https://rules.test/b.md"]
  expect(await paths()).toEqual(["https://rules.test/b.md"])
})

it("is read before the history is, which may be long", async () => {
  const stored = memoryStorage()
  const storage: Storage = {
    ...stored,
    async readContext(id) {
      await writeFile(join(test.session.directory, "AGENTS.md"), "Too late.")
      return stored.readContext(id)
    },
  }
  const model = streamingModel([...said("Hello."), ended()])
  await using test = await testEngine({ storage, model })
  await writeFile(join(test.session.directory, "AGENTS.md"), "In time.")
  await test.ask("Hi")

  expect(model.requests[0]?.system.join("\n")).toMatch(/In time\.$/)
})
