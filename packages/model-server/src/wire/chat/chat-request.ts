import type { RecordedRequest } from "../../recorded-request.ts"

/** The body of a Chat Completions request, with the fields that tests usually need. */
export interface ChatRequest {
  model: string
  messages: ChatMessage[]
  stream?: boolean
  stream_options?: { include_usage?: boolean }
  tools?: ChatTool[]
  tool_choice?: unknown
  [key: string]: unknown
}

export interface ChatMessage {
  role: string
  content?: string | ChatContentPart[] | null
  tool_calls?: ChatToolCall[]
  tool_call_id?: string
  [key: string]: unknown
}

export interface ChatContentPart {
  type: string
  text?: string
  [key: string]: unknown
}

export interface ChatToolCall {
  id: string
  type: "function"
  function: { name: string; arguments: string }
}

export interface ChatTool {
  type: "function"
  function: { name: string; description?: string; parameters?: Record<string, unknown> }
}

/**
 * Returns the body of a recorded request with its type. The server has validated it, unless `strict` was false or the
 * server refused the request. Throws if the request is undefined, so that `chatRequest(server.requests[1])` fails with
 * a clear message.
 */
export function chatRequest(request: RecordedRequest | undefined): ChatRequest {
  if (request === undefined) throw new Error("There is no such request: look at server.requests.length.")
  if (typeof request.body !== "object" || request.body === null) {
    throw new Error(`${request.method} ${request.path} has no JSON object as its body.`)
  }
  return request.body as ChatRequest
}
