import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A server that refuses everything and keeps it. */
export interface Recorder {
  readonly url: string
  /** Method, address, headers and body of each request, as one text. */
  readonly requests: readonly string[]
  [Symbol.asyncDispose](): Promise<void>
}

export async function recorder(): Promise<Recorder> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`)
      response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"message":"no"}}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
