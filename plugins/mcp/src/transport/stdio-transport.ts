import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js"
import type { ErrorLog } from "../process/error-log.ts"
import type { ServerProcess } from "../process/start-server.ts"
import { createMessageLines } from "./message-lines.ts"

/** Maximum number of bytes that may wait for the server to read them, in addition to the current message. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

/** Exchanges JSON-RPC messages, one per line, over the stdin and stdout of a running process. */
export function createStdioTransport(server: ServerProcess, log: ErrorLog): Transport {
  let isClosed = false
  let delivered = Promise.resolve()
  const transport: Transport = {
    async start() {
      const take = createMessageLines((line) => {
        if (line !== "") deliver(line)
      })
      server.output.on("data", (chunk: Buffer) => {
        try {
          take(chunk)
        } catch (error) {
          transport.onerror?.(error as Error)
          void transport.close()
        }
      })
      server.errors.setEncoding("utf8").on("data", (text: string) => log.write(text))
      for (const stream of [server.input, server.output, server.errors]) {
        stream.on("error", (error) => transport.onerror?.(error))
      }
      void server.ended.then((words) => {
        log.write(`[${words}]\n`)
        tellClosed()
      })
    },
    async send(message) {
      if (isClosed || !server.input.writable) throw new Error("The server has ended.")
      if (server.input.writableLength > MAX_UNREAD_BYTES) {
        void transport.close()
        throw new Error("The server does not read what it is sent.")
      }
      if (!server.input.write(`${JSON.stringify(message)}\n`)) await read()
    },
    async close() {
      tellClosed()
      await server.end()
    },
  }

  let reading: Promise<void> | undefined
  /** Resolves when the server has read all pending input or has ended. Concurrent callers share the wait. */
  function read(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = () => {
      server.input.off("drain", done).off("close", done).off("error", done)
      reading = undefined
      resolve()
    }
    if (!reading) server.input.on("drain", done).on("close", done).on("error", done)
    return (reading ??= promise)
  }

  function deliver(line: string): void {
    let message: JSONRPCMessage
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line))
    } catch {
      // Some servers print log output to stdout.
      log.write(`[not a message: ${line.slice(0, 500)}]\n`)
      return
    }
    // The SDK handles notifications later than responses, so this delivers a call's last progress before its result.
    delivered = delivered.then(() => transport.onmessage?.(message)).catch((error: Error) => transport.onerror?.(error))
  }

  function tellClosed(): void {
    if (isClosed) return
    isClosed = true
    transport.onclose?.()
  }

  return transport
}
