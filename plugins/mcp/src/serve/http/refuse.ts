import type { ServerResponse } from "node:http"

export interface Refused {
  readonly status: number
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a JSON-RPC error and closes the connection, because a body may still be arriving. */
export function refuse(response: ServerResponse, { status, reason, headers = {} }: Refused): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message: reason }, id: null })
  const fixed = { "content-type": "application/json", "cache-control": "no-store", connection: "close" }
  response.writeHead(status, { ...fixed, ...headers }).end(body)
}
