// Gives the model a tool, and answers for the user which of its calls may run.
import { createEngine } from "@pawl/core"
import { defineTool, ToolInputError } from "@pawl/core/tool"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { memoryStorage } from "@pawl/storage-memory"

const deploy = defineTool<{ target: string }>({
  name: "deploy",
  description: "Deploys the current commit to a target.",
  inputSchema: { type: "object", properties: { target: { type: "string" } }, required: ["target"] },
  effect: "unsafe", // A call that a crash interrupted is never repeated.
  parse(input) {
    const { target } = input as { target?: unknown }
    if (typeof target === "string") return { target }
    throw new ToolInputError("deploy needs a target, such as staging.")
  },
  permissions: ({ target }) => [{ permission: "deploy", patterns: [target], always: [] }],
  execute: async ({ target }) => ({ title: target, output: `Deployed to ${target}.` }),
})

const engine = await createEngine({
  storage: memoryStorage(),
  providers: [openAICompatible({ id: "local", baseURL: process.env.MODEL_URL ?? "http://127.0.0.1:11434/v1" })],
  model: { providerID: "local", modelID: process.env.MODEL ?? "qwen3-coder" },
  tools: [deploy],
  permission: [{ name: "program", rules: [{ permission: "deploy", pattern: "*", action: "ask" }] }],
  ask: async ({ patterns: [to] }) => (to === "staging" ? "once" : { reply: "reject", message: "Staging only." }),
})
console.log((await engine.session({ directory: process.cwd() }).prompt("Deploy to staging and production.")).text)
await engine.close()
