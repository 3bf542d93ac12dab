// Records what the model says, in the first run. Later runs play it without a model: node record-and-replay.ts script.jsonl
import { appendFileSync, existsSync } from "node:fs"
import { createEngine } from "@pawl/core"
import type { Provider } from "@pawl/core/provider"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { recording, replayProvider } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { builtinTools } from "@pawl/tools"

const [, , file = "script.jsonl"] = process.argv
const isRecorded = existsSync(file)

const local = openAICompatible({ id: "local", baseURL: process.env.MODEL_URL ?? "http://127.0.0.1:11434/v1" })
const recorded: Provider = {
  ...local,
  model: async (id) => recording(await local.model(id), (line) => appendFileSync(file, `${line}\n`)),
}

const engine = await createEngine({
  storage: memoryStorage(),
  providers: [isRecorded ? replayProvider({ scripts: { recorded: file } }) : recorded],
  model: isRecorded
    ? { providerID: "replay", modelID: "recorded" }
    : { providerID: "local", modelID: process.env.MODEL ?? "qwen3-coder" },
  tools: builtinTools(),
})
const { text } = await engine.session({ directory: process.cwd() }).prompt("Which tools does package.json name?")
console.log(`${isRecorded ? "played" : "recorded"}: ${text}`)
await engine.close()
