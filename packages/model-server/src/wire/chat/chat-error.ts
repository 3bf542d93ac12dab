import type { ErrorKind } from "../../script/error-kind.ts"
import { retryHeader } from "../retry-header.ts"
import type { WireError } from "../wire-format.ts"

interface ChatErrorKind {
  readonly status: number
  readonly type: string
  readonly code: string | null
  readonly param: string | null
  readonly message: string
}

const invalid = { status: 400, type: "invalid_request_error", code: null, param: null }
const server = { status: 500, type: "server_error", code: null, param: null }

const kinds: Readonly<Record<ErrorKind, ChatErrorKind>> = {
  "invalid-request": { ...invalid, message: "The request is invalid." },
  unauthorized: { ...invalid, status: 401, code: "invalid_api_key", message: "Incorrect API key provided." },
  forbidden: { ...invalid, status: 403, code: "unsupported_country_region_territory", message: "Not allowed." },
  "unknown-model": { ...invalid, status: 404, code: "model_not_found", param: "model", message: "No such model." },
  "unknown-path": { ...invalid, status: 404, code: "unknown_url", message: "Unknown request URL." },
  "too-large": { ...invalid, status: 413, code: "request_too_large", message: "The request is too large." },
  "rate-limit": {
    status: 429,
    type: "requests",
    code: "rate_limit_exceeded",
    param: null,
    message: "Rate limit reached for requests: Limit 3, Used 3, Requested 1.",
  },
  quota: {
    status: 429,
    type: "insufficient_quota",
    code: "insufficient_quota",
    param: null,
    message: "You exceeded your current quota, please check your plan and billing details.",
  },
  "context-overflow": {
    ...invalid,
    code: "context_length_exceeded",
    param: "messages",
    message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  },
  overloaded: { ...server, status: 503, message: "The server is currently overloaded. Please try again later." },
  server: { ...server, message: "The server had an error while processing your request." },
}

/** Returns the status and the error body of the OpenAI API. */
export function toChatError({ kind, message, code, retryAfter }: WireError) {
  const known = kinds[kind]
  const error = { message: message ?? known.message, type: known.type, param: known.param, code: code ?? known.code }
  return { status: known.status, headers: retryHeader(retryAfter), body: { error } }
}
