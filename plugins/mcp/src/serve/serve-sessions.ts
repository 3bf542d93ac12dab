import type { Readable, Writable } from "node:stream"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { clientPeople } from "./ask-client.ts"
import { createCallInputs } from "./call-inputs.ts"
import type { Served, ServeHost } from "./serve-host.ts"
import { registerSessionTools } from "./session-tools.ts"

export interface ServeOptions {
  readonly input: Readable
  /** Gets messages of the protocol, and nothing else. */
  readonly output: Writable
  /** Ends the serving. */
  readonly signal: AbortSignal
}

const INSTRUCTIONS =
  "Sessions of a coding agent in one project. Give it a task with session_prompt; name the session again to go on in it. A long task reports its progress, and ends when the call is cancelled."

/** Offers an engine's sessions to one client. Resolves when it has gone, or the signal aborts; runs go on until the engine is closed. */
export async function serveSessions(host: ServeHost, { input, output, signal }: ServeOptions): Promise<void> {
  const server = new McpServer({ name: "pawl", version: host.version }, { instructions: INSTRUCTIONS })
  let opened: Promise<Served> | undefined
  const calls = createCallInputs()
  async function open(): Promise<Served> {
    const served = await host.open(clientPeople(server.server, calls))
    served.engine.subscribe(calls.follow)
    return served
  }
  registerSessionTools(server, () => {
    opened ??= open()
    // What could not be opened may be another time.
    opened.catch(() => (opened = undefined))
    return opened
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const events = [
    [input, "end"] as const,
    [input, "close"] as const,
    [output, "error"] as const,
    [output, "close"] as const,
  ]
  for (const [stream, event] of events) stream.once(event, end)
  signal.addEventListener("abort", end, { once: true })
  if (signal.aborted) end()
  try {
    await server.connect(new StdioServerTransport(input, output))
    await ended
  } finally {
    for (const [stream, event] of events) stream.off(event, end)
    signal.removeEventListener("abort", end)
    await server.close()
  }
}
