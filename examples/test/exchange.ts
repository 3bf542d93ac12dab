import type { Readable } from "node:stream"
import { chatRequest, type ModelServer } from "@pawl/model-server"

/** The messages of the n-th request to the model, as text. */
export function sent(server: ModelServer, at: number): string {
  return JSON.stringify(requestTo(server, at).messages)
}

/** What the n-th request says about calls, in their order. */
export function results(server: ModelServer, at: number): string[] {
  const messages = requestTo(server, at).messages.filter(({ role }) => role === "tool")
  return messages.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
}

function requestTo({ requests }: ModelServer, at: number) {
  return chatRequest(requests[at])
}

/** Returns the address that a program prints once it listens. */
export async function listening(child: { readonly stdout: Readable }): Promise<string> {
  let printed = ""
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    const [, port] = /port: (\d+)/.exec(printed) ?? []
    if (port !== undefined) return `http://127.0.0.1:${port}`
  }
  throw new Error(`It ended before it listened: ${printed}`)
}

export const TOKEN = "test-token"
export const AUTHORIZED = { authorization: `Bearer ${TOKEN}` }

export async function post(url: string, body: string): Promise<string> {
  return (await fetch(url, { method: "POST", body, headers: AUTHORIZED })).text()
}

export interface SentEvent {
  readonly type: string
  readonly text?: string
  readonly properties?: { readonly sessionID?: string; readonly delta?: string }
}

export function serverSentEvents(stream: string): SentEvent[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as SentEvent)
}

export function deltas(events: readonly SentEvent[]): string {
  return events.map(({ type, properties }) => (type === "message.part.delta" ? (properties?.delta ?? "") : "")).join("")
}
