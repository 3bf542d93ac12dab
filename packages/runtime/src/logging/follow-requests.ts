import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { ClientRequest, IncomingMessage } from "node:http"
import type { Log } from "./log.ts"

/** Response headers with the id of a request, by vendor. */
const REQUEST_IDS = ["x-request-id", "request-id", "x-goog-request-id", "x-amzn-requestid", "cf-ray"] as const

interface Exchange {
  readonly request: ClientRequest
  readonly response?: IncomingMessage
  readonly error?: Error & { readonly code?: string }
}

/**
 * Logs the target and outcome of this process's HTTP requests, without their content. Node publishes requests on a
 * diagnostics channel. The returned function stops it.
 */
export function followRequests(log: Log): () => void {
  const started = new WeakMap<ClientRequest, number>()
  const onStart = (message: unknown) => void started.set((message as Exchange).request, performance.now())
  const onEnd = (message: unknown) => {
    const { request, response, error } = message as Exchange
    const since = started.get(request)
    const ms = since === undefined ? undefined : Math.round(performance.now() - since)
    const ids = REQUEST_IDS.flatMap((name) => response?.headers[name] ?? [])
    const facts = { method: request.method, origin: originOf(request), ms }
    if (!response) log.write("warn", "request", { ...facts, error: error?.code ?? error?.message })
    else {
      const { statusCode: status = 0 } = response
      log.write(status < 400 ? "info" : "warn", "request", { ...facts, status, requestID: ids[0] })
    }
  }
  const channels = [
    ["http.client.request.start", onStart],
    // Published when the head of a response has arrived: its body may stream for minutes.
    ["http.client.response.finish", onEnd],
    ["http.client.request.error", onEnd],
  ] as const
  for (const [name, listener] of channels) subscribe(name, listener)
  return () => {
    for (const [name, listener] of channels) unsubscribe(name, listener)
  }
}

function originOf(request: ClientRequest): string {
  return `${request.protocol}//${String(request.getHeader("host") ?? request.host)}`
}
