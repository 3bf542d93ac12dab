import type { ErrorKind } from "../../script/error-kind.ts"
import { retryHeader } from "../retry-header.ts"
import type { WireError } from "../wire-format.ts"

const kinds: Readonly<Record<ErrorKind, { status: number; type: string; message: string }>> = {
  "invalid-request": { status: 400, type: "invalid_request_error", message: "The request is invalid." },
  unauthorized: { status: 401, type: "authentication_error", message: "invalid x-api-key" },
  forbidden: { status: 403, type: "permission_error", message: "Your API key does not have permission for this." },
  "unknown-model": { status: 404, type: "not_found_error", message: "model: not found" },
  "unknown-path": { status: 404, type: "not_found_error", message: "Not Found" },
  "too-large": { status: 413, type: "request_too_large", message: "Request exceeds the maximum size" },
  "rate-limit": {
    status: 429,
    type: "rate_limit_error",
    message: "This request would exceed the rate limit for your organization of 50,000 input tokens per minute.",
  },
  quota: {
    status: 400,
    type: "invalid_request_error",
    message: "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to add credits.",
  },
  "context-overflow": {
    status: 400,
    type: "invalid_request_error",
    message: "prompt is too long: 210000 tokens > 200000 maximum",
  },
  overloaded: { status: 529, type: "overloaded_error", message: "Overloaded" },
  server: { status: 500, type: "api_error", message: "Internal server error" },
}

/**
 * Returns the status and the error body of the Anthropic API. The API has no codes, so a code of the script replaces
 * the type.
 */
export function toAnthropicError({ kind, message, code, retryAfter }: WireError) {
  const known = kinds[kind]
  return {
    status: known.status,
    headers: retryHeader(retryAfter),
    body: { type: "error", error: { type: code ?? known.type, message: message ?? known.message } },
  }
}
