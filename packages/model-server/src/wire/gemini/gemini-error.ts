import type { ErrorKind } from "../../script/error-kind.ts"
import type { SpelledError, WireError } from "../wire-format.ts"

interface GeminiErrorKind {
  readonly code: number
  readonly status: string
  readonly message: string
  readonly details?: readonly object[]
}

const overQuota = "You exceeded your current quota, please check your plan and billing details."

const kinds: Readonly<Record<ErrorKind, GeminiErrorKind>> = {
  "invalid-request": { code: 400, status: "INVALID_ARGUMENT", message: "Request contains an invalid argument." },
  unauthorized: {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "API key not valid. Please pass a valid API key.",
    details: [{ "@type": rpc("ErrorInfo"), reason: "API_KEY_INVALID", domain: "googleapis.com" }],
  },
  forbidden: { code: 403, status: "PERMISSION_DENIED", message: "The caller does not have permission" },
  "unknown-model": { code: 404, status: "NOT_FOUND", message: "The model is not found for API version v1beta." },
  "unknown-path": { code: 404, status: "NOT_FOUND", message: "Requested entity was not found." },
  "too-large": { code: 400, status: "INVALID_ARGUMENT", message: "Request payload size exceeds the limit." },
  "rate-limit": {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: overQuota,
    details: [toQuotaFailure("GenerateRequestsPerMinutePerProjectPerModel")],
  },
  quota: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: overQuota,
    details: [toQuotaFailure("GenerateRequestsPerDayPerProjectPerModel")],
  },
  "context-overflow": {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  },
  overloaded: { code: 503, status: "UNAVAILABLE", message: "The model is overloaded. Please try again later." },
  server: { code: 500, status: "INTERNAL", message: "An internal error has occurred. Please retry." },
}

/** Returns the status and the error body of the Gemini API. A code of the script replaces the name of the status. */
export function toGeminiError({ kind, status, message, code, retryAfter }: WireError): SpelledError {
  const known = kinds[kind]
  const retry = retryAfter === undefined ? [] : [{ "@type": rpc("RetryInfo"), retryDelay: `${retryAfter}s` }]
  const details = [...(known.details ?? []), ...retry]
  const error = {
    code: status ?? known.code,
    message: message ?? known.message,
    status: code ?? known.status,
    ...(details.length === 0 ? {} : { details }),
  }
  return { status: known.code, headers: {}, body: { error } }
}

function toQuotaFailure(quotaId: string): object {
  const quotaMetric = "generativelanguage.googleapis.com/generate_content_requests"
  return { "@type": rpc("QuotaFailure"), violations: [{ quotaMetric, quotaId, quotaValue: "10" }] }
}

function rpc(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`
}
