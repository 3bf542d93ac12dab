// An engine's process for tests: connects the servers that it is told of, says so, and waits.
import { createMcp, type McpOptions } from "../src/index.ts"

const options = JSON.parse(process.argv[2] ?? "{}") as McpOptions
const { control } = createMcp(options)
for (const name of Object.keys(options.servers)) await control.connect(name)
console.log("ready")
setInterval(() => undefined, 1000)
