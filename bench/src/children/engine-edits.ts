// Runs steps that edit files, with a history of files or without any record of them.
import { createEngine } from "@pawl/core"
import type { FileRecorder, Tool } from "@pawl/core/tool"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { builtinTools } from "@pawl/tools"
import { createFileHistory } from "@pawl/undo"
import { readInput } from "../measure/input.ts"

export interface EditsInput {
  readonly url: string
  readonly database: string
  readonly directory: string
  readonly prompt: string
  /** Directory of the file history. Missing: changes are not recorded. */
  readonly history?: string
}

/** Bytes of the contents that the session stored. */
export type StoredBytes = number

const { url, database, directory, prompt, history } = readInput() as EditsInput
const fileHistory =
  history === undefined ? undefined : createFileHistory({ directory: history, environment: process.env })
const storage = await sqliteStorage({ path: database, durability: "sync" })
const edit = builtinTools().find(({ name }) => name === "apply_patch")
if (!edit) throw new Error("There is no tool apply_patch.")
const engine = await createEngine({
  storage,
  tools: [fileHistory ? edit : unrecorded(edit)],
  permission: [{ name: "bench", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
  providers: [openAICompatible({ id: "local", baseURL: url, models: [{ id: "scripted" }] })],
  model: { providerID: "local", modelID: "scripted" },
  ...(fileHistory ? { fileHistory } : {}),
})
const { id } = await engine.createSession({ directory })
const result = await engine.prompt({ sessionID: id, parts: [{ type: "text", text: prompt }] })
if (result.type !== "answered") throw new Error(`The turn was not answered: ${JSON.stringify(result)}`)
await engine.close()
await fileHistory?.close()
const { records } = await storage.stats()
await storage.close()
process.send?.(records.blob.bytes satisfies StoredBytes)
process.disconnect()

function unrecorded(tool: Tool): Tool {
  const files: FileRecorder = { before: async () => undefined, after: async () => undefined }
  return { ...tool, changes: "none", execute: (input, context) => tool.execute(input, { ...context, files }) }
}
