// Answers a question about the working directory: node one-answer.ts "What does the parser do?"
import { createEngine } from "@pawl/core"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { memoryStorage } from "@pawl/storage-memory"
import { builtinTools } from "@pawl/tools"
import { createWorkspace } from "@pawl/workspace"

const baseURL = process.env.MODEL_URL ?? "http://127.0.0.1:11434/v1"
const engine = await createEngine({
  storage: memoryStorage(),
  providers: [openAICompatible({ id: "local", baseURL })],
  model: { providerID: "local", modelID: process.env.MODEL ?? "qwen3-coder" },
  tools: builtinTools(),
  workspace: createWorkspace(),
})

const session = engine.session({ directory: process.cwd() })
const result = await session.prompt(process.argv[2] ?? "What is this project?")

if (result.type === "answered") console.log(result.text)
else console.error("error" in result ? result.error.data.message : `The run ended without an answer: ${result.type}`)
process.exitCode = result.type === "answered" ? 0 : 1
await engine.close()
