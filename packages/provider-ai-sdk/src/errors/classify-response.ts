import { ProviderError } from "@pawl/core/provider"
import { type ErrorBody, parseErrorBody } from "./error-body.ts"
import { errorKind } from "./error-kind.ts"
import { explain } from "./explain.ts"
import { overflowNumbers } from "./overflow-numbers.ts"
import { redact } from "./redact.ts"
import { retryAfter } from "./retry-after.ts"
import { type ErrorSource, serverName } from "./source.ts"

/** An HTTP response that reports an error, with any status. */
export interface ErrorResponse {
  readonly url?: string | undefined
  readonly status?: number | undefined
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

export function classifyResponse(response: ErrorResponse, source: ErrorSource = {}, cause?: unknown): ProviderError {
  return toProviderError(response, parseErrorBody(response.body ?? ""), source, cause)
}

/** Like `classifyResponse`, for a body that was already read, or came as an event in a stream. */
export function toProviderError(
  response: ErrorResponse,
  body: ErrorBody,
  source: ErrorSource,
  cause?: unknown,
): ProviderError {
  const kind = errorKind(response.status, body)
  const status = body.status !== undefined && (response.status ?? 0) < 400 ? body.status : response.status
  const wait = retryAfter(response.headers ?? {}, (source.now ?? Date.now)()) ?? body.retryAfter
  const message = explain({
    kind,
    server: serverName(source, response.url),
    status,
    detail: redact(body.message, source.secrets),
    retryAfter: wait,
    keyHint: source.keyHint,
  })
  const details = {
    providerID: source.providerID,
    statusCode: status,
    responseHeaders: response.headers && withoutSecrets(response.headers, source),
    responseBody: response.body === undefined ? undefined : redact(response.body, source.secrets),
    retryAfter: wait,
    ...(kind === "overflow" ? overflowNumbers(`${body.message} ${response.body ?? ""}`) : {}),
  }
  return new ProviderError(kind, message, details, { cause })
}

function withoutSecrets(headers: Readonly<Record<string, string>>, source: ErrorSource): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== "set-cookie")
      .map(([name, value]) => [name, redact(value, source.secrets)]),
  )
}
