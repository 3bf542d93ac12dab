// Mounts an MCP server: node mcp-server.ts npx -y @modelcontextprotocol/server-everything
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createEngine } from "@pawl/core"
import { createMcp } from "@pawl/plugin-mcp"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { memoryStorage } from "@pawl/storage-memory"

const { plugin, control } = createMcp({
  servers: { demo: { scope: "user", config: { type: "local", command: process.argv.slice(2) } } },
  directory: process.cwd(),
  dataDirectory: await mkdtemp(join(tmpdir(), "mcp-")),
})
const engine = await createEngine({
  storage: memoryStorage(),
  providers: [openAICompatible({ id: "local", baseURL: process.env.MODEL_URL ?? "http://127.0.0.1:11434/v1" })],
  model: { providerID: "local", modelID: process.env.MODEL ?? "qwen3-coder" },
  plugins: [{ id: "mcp", plugin }],
})
const { text } = await engine.session({ directory: process.cwd() }).prompt("Add 2 and 40 with the server.")
console.log(text)
for (const { name, status } of await control.status()) console.log(`${name}: ${status}`)
await engine.close()
