// A plugin whose guard refuses calls: the model reads why, and goes another way.
import { createEngine } from "@pawl/core"
import { definePlugin } from "@pawl/plugin"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { memoryStorage } from "@pawl/storage-memory"
import { builtinTools } from "@pawl/tools"

const noSecrets = definePlugin(() => ({
  "tool.execute.before": ({ tool }, { args }) => {
    if (/\.env\b/.test(JSON.stringify(args))) throw new Error(`${tool} may not use .env files. Read .env.example.`)
  },
}))

const engine = await createEngine({
  storage: memoryStorage(),
  providers: [openAICompatible({ id: "local", baseURL: process.env.MODEL_URL ?? "http://127.0.0.1:11434/v1" })],
  model: { providerID: "local", modelID: process.env.MODEL ?? "qwen3-coder" },
  tools: builtinTools(),
  plugins: [{ id: "no-secrets", plugin: noSecrets }],
})
engine.subscribe(({ type, properties }) => {
  if (type !== "message.part.updated" || properties.part.type !== "tool") return
  const { tool, state } = properties.part
  if (state.status === "error") console.log(`${tool}: ${state.error}`)
})
const { text } = await engine.session({ directory: process.cwd() }).prompt("Which settings does this project need?")
console.log(text)
await engine.close()
