import { createServer, type IncomingMessage, request as httpRequest, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** Address of a server: `url` with `/v1`, `origin` without. */
export interface Address {
  readonly url: string
  readonly origin: string
}

export interface Relay extends Address, AsyncDisposable {}

/** A server that hands on what it is asked and every byte of the answer by itself, in a write of its own. */
export async function relayByteByByte(origin: string): Promise<Relay> {
  const server: Server = createServer((incoming, response) => {
    const { method, headers, url } = incoming
    const outgoing = httpRequest(new URL(url ?? "/", origin), { method, headers }, (answer) => {
      void byteByByte(answer, response)
    })
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: here,
    url: `${here}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function byteByByte(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(answer.statusCode ?? 500, answer.headers)
  response.socket?.setNoDelay(true)
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      response.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
  }
  response.end()
}
