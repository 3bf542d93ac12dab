import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it, onTestFinished } from "vitest"
import { testEngine } from "../../test/engine-fixture.ts"
import { ended, said, streamingModel } from "../../test/streaming-model.ts"
import { noWorkspace, type WorkspaceReader } from "../contracts/workspace.ts"
import type { Storage } from "../storage.ts"
import { readWorkspace } from "./workspace.ts"

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-place-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

type Load = WorkspaceReader["loadInstructions"]

async function place(instructionFiles: string[], loadInstructions: Load) {
  const workspace = { ...noWorkspace, loadInstructions }
  const bus = { publish: () => undefined, subscribe: () => () => undefined }
  const deps = { settings: () => ({ instructionFiles }), workspace, bus }
  return { deps, reader: readWorkspace(deps, { id: "ses_1", directory: await temporary() }) }
}

it("has begun where its files are read, and where an address makes it wait", async () => {
  let answer: ((text: string) => void) | undefined
  const load: Load = ({ files }) => {
    return new Promise((resolve) => {
      answer = (text) => resolve({ instructions: files.map((path) => ({ path, text })), notices: [] })
    })
  }
  const { reader } = await place(["https://rules.test/a.md"], load)
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
  const load: Load = async ({ files }) => ({ instructions: files.map((path) => ({ path, text: path })), notices: [] })
  const { deps, reader } = await place(["https://rules.test/a.md"], load)
  const paths = async () => (await reader.read()).instructions.map(({ path }) => path)

  expect(await paths()).toEqual(["https://rules.test/a.md"])
  deps.settings = () => ({ instructionFiles: ["https://rules.test/b.md"] })
  expect(await paths()).toEqual(["https://rules.test/b.md"])
})

/** What a run does before its first request, in its order. The workspace is read at once, however busy the machine is. */
async function order(noReply: boolean) {
  const seen: string[] = []
  const stored = memoryStorage()
  const storage: Storage = {
    ...stored,
    async readContext(id) {
      seen.push("history")
      return stored.readContext(id)
    },
  }
  const workspace: WorkspaceReader = {
    ...noWorkspace,
    async loadInstructions() {
      return { instructions: [{ path: "/AGENTS.md", text: `After ${seen.join(" and ")}.` }], notices: [] }
    },
  }
  const model = streamingModel([...said("Hello."), ended()])
  const connecting = { ...model, connect: () => void seen.push("connection") }
  await using test = await testEngine({ storage, workspace, model: connecting })
  await test.engine.prompt({ sessionID: test.session.id, parts: [{ type: "text", text: "Hi" }], noReply })
  const [request] = model.requests
  return [...new Set(seen), ...(request ? [`request ${request.system.join("\n").split("\n").at(-1)}`] : [])]
}

it("is read before the history is, which may be long, and a connection opened before that", async () => {
  expect(await order(false)).toEqual(["connection", "history", "request After connection."])
})

it("needs no connection where nobody answers", async () => {
  expect(await order(true)).not.toContain("connection")
})

it.each<[string, () => never]>([
  [
    "throws",
    () => {
      throw new Error("No network.")
    },
  ],
  ["rejects", (async () => Promise.reject(new Error("No network."))) as () => never],
])("answers although its model cannot open one and %s", async (_how, connect) => {
  await using test = await testEngine({ model: { ...streamingModel([...said("Hello."), ended()]), connect } })
  expect(await test.ask("Hi")).toMatchObject({ type: "answered" })
})

it("opens none for a prompt that is refused", async () => {
  let connections = 0
  const model = { ...streamingModel([...said("Hello."), ended()]), connect: () => void connections++ }
  await using test = await testEngine({ model })
  const parts = [{ type: "text", text: "Hi" }] as const
  await expect(test.engine.prompt({ sessionID: test.session.id, parts, variant: "none" })).rejects.toThrow("variant")
  expect(connections).toBe(0)
})
