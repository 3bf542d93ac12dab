// A storage of your own: here one that writes a line for each commit, and leaves the rest to another storage.
import { appendFile } from "node:fs/promises"
import { createEngine } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { memoryStorage } from "@pawl/storage-memory"

function loggedStorage(storage: Storage, file: string): Storage {
  return {
    ...storage,
    async commit(sessionID, writes, lease) {
      const revision = await storage.commit(sessionID, writes, lease)
      const types = writes.map(({ type }) => type)
      await appendFile(file, `${JSON.stringify({ sessionID, revision, types })}\n`)
      return revision
    },
  }
}

const engine = await createEngine({
  storage: loggedStorage(memoryStorage(), "commits.jsonl"),
  providers: [openAICompatible({ id: "local", baseURL: process.env.MODEL_URL ?? "http://127.0.0.1:11434/v1" })],
  model: { providerID: "local", modelID: process.env.MODEL ?? "qwen3-coder" },
})
const { text } = await engine.session({ directory: process.cwd() }).prompt("Say hello.")
console.log(text)
await engine.close()
