import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const require = createRequire(import.meta.url)
export const everything = require.resolve("@modelcontextprotocol/server-everything/dist/index.js")
const loopback = fileURLToPath(new URL("servers/loopback.ts", import.meta.url))

/** The reference server over HTTP, in a process of its own. */
export interface EverythingServer extends AsyncDisposable {
  readonly url: string
  kill(): Promise<void>
}

export async function startEverything(kind: "streamableHttp" | "sse"): Promise<EverythingServer> {
  const child = spawn(process.execPath, ["--import", loopback, everything, kind], {
    stdio: ["ignore", "pipe", "ignore"],
  })
  const port = await portOf(child)
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, "exit")
    child.kill("SIGKILL")
    await exited
  }
  return { url: `http://127.0.0.1:${port}/${kind === "sse" ? "sse" : "mcp"}`, kill, [Symbol.asyncDispose]: kill }
}

function portOf({ stdout }: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ""
  // Read on to the end: a server that nobody listens to ends.
  stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString()
    const [, port] = /^port (\d+)$/m.exec(said) ?? []
    if (port !== undefined) resolve(port)
  })
  stdout?.on("end", () => reject(new Error(`The server ended: ${said}`)))
  return promise
}
