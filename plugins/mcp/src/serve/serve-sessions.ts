import type { Readable, Writable } from "node:stream"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { clientPrompters } from "./ask-client.ts"
import { createCallInputs } from "./call-inputs.ts"
import type { ServeHost } from "./serve-host.ts"
import { createSessionServer, openedOnce } from "./session-server.ts"

export interface ServeOptions {
  readonly input: Readable
  /** Receives only protocol messages. */
  readonly output: Writable
  /** Stops the server. */
  readonly signal: AbortSignal
}

/**
 * Offers an engine's sessions to one client. Resolves when the client disconnects or the signal aborts. Rejects if the
 * client's input is invalid. Runs continue until the engine is closed.
 */
export async function serveSessions(host: ServeHost, { input, output, signal }: ServeOptions): Promise<void> {
  const calls = createCallInputs()
  const served = openedOnce(async () => {
    const place = await host.open(clientPrompters(server.server, calls))
    place.engine.subscribe(calls.follow)
    return place
  })
  const server = createSessionServer({ version: host.version, served })
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  const end = () => resolve()
  let wrong: Error | undefined
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way to listen
  server.server.onerror = (error) => (wrong = error)
  // The transport closes on a message that is too long; closing it from here happens after the end of input.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way to listen
  server.server.onclose = () => {
    reject(new Error(`Nothing more can be read from the client: ${wrong?.message ?? "the connection was closed"}.`))
  }
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
