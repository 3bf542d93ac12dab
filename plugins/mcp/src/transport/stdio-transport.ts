import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js"
import type { ErrorLog } from "../process/error-log.ts"
import type { ServerProcess } from "../process/start-server.ts"
import { createMessageLines } from "./message-lines.ts"

/** Bytes that may wait for a server to read them, besides the message that is sent. */
const MOST_UNREAD = 16 * 1024 * 1024

/** JSON-RPC messages, one a line, over a process's standard input and output. It is running already. */
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
      if (server.input.writableLength > MOST_UNREAD) {
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
  /** Resolves when the server has read what waits for it, or has ended: for all who wait at once. */
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
      // Some servers print what they do, where only messages belong.
      log.write(`[not a message: ${line.slice(0, 500)}]\n`)
      return
    }
    // The client takes notifications a moment later than answers: the last progress of a call is to come before its end.
    delivered = delivered.then(() => transport.onmessage?.(message)).catch((error: Error) => transport.onerror?.(error))
  }

  function tellClosed(): void {
    if (isClosed) return
    isClosed = true
    transport.onclose?.()
  }

  return transport
}
