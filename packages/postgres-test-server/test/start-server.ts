import { startTestServer } from "../src/index.ts"

// Starts a server, says which, and waits for its end.
const server = await startTestServer()
console.log(JSON.stringify({ pid: server.pid, directory: server.dataDirectory }))
await new Promise((resolve) => setTimeout(resolve, 60_000))
