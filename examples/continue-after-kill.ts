// Kill it at any point and start it again: it continues the unfinished session. Nothing is lost, and no unsafe call runs twice.
import { createEngine, type Session } from "@pawl/core"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { builtinTools } from "@pawl/tools"

const storage = await sqliteStorage({ path: process.env.DATABASE ?? "sessions.db" })
const baseURL = process.env.MODEL_URL ?? "http://127.0.0.1:11434/v1"
const engine = await createEngine({
  storage,
  providers: [openAICompatible({ id: "local", baseURL })],
  model: { providerID: "local", modelID: process.env.MODEL ?? "qwen3-coder" },
  tools: builtinTools(),
})

const directory = process.cwd()
let last: Session | undefined
for await (const newest of engine.listSessions({ directory, limit: 1 })) last = newest
const session = engine.session(last ?? { directory })
const result = last ? await session.resume() : await session.prompt("Run the tests, and fix what fails.")

console.log(last ? "continued:" : "began:", result.type, result.text)
await engine.close()
await storage.close()
