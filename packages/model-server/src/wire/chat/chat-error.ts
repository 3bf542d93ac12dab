import type { ErrorKind, ErrorReply } from "../../script/http-error.ts"

const kinds: Record<ErrorKind, { type: string; code: string | null; param: string | null }> = {
  "invalid-request": { type: "invalid_request_error", code: null, param: null },
  unauthorized: { type: "invalid_request_error", code: "invalid_api_key", param: null },
  "unknown-model": { type: "invalid_request_error", code: "model_not_found", param: "model" },
  "unknown-path": { type: "invalid_request_error", code: "unknown_url", param: null },
  "too-large": { type: "invalid_request_error", code: "request_too_large", param: null },
  "rate-limit": { type: "requests", code: "rate_limit_exceeded", param: null },
  "context-overflow": { type: "invalid_request_error", code: "context_length_exceeded", param: "messages" },
  server: { type: "server_error", code: null, param: null },
}

/** The error body of the OpenAI API. */
export function toChatError({ kind, message, code }: Pick<ErrorReply, "kind" | "message" | "code">) {
  const known = kinds[kind]
  return { error: { message, type: known.type, param: known.param, code: code ?? known.code } }
}
