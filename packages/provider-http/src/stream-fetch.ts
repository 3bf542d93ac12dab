import { ProviderError } from "@pawl/core/provider"
import { classifyResponse, type ErrorSource, serverName, watchOf } from "@pawl/provider-ai-sdk"
import { answerBody } from "./answer-body.ts"
import { bodyBeginning } from "./body-beginning.ts"
import { type BodyHead, MAX_DOCUMENT_BYTES, readHead } from "./body-head.ts"
import type { HTTPRequestInit } from "./http-fetch.ts"
import { responseOf } from "./http-response.ts"
import { MAX_TIMER_MS } from "./max-timer.ts"

type Fetch = typeof globalThis.fetch

export interface StreamFetchOptions {
  readonly source: ErrorSource
  /** Milliseconds for the complete request and answer; 0, the default, for no limit. */
  readonly timeout?: number | undefined
  /** Advice for a server that does not speak this API, as a sentence. */
  readonly baseURLHint: string
}

/**
 * A fetch for requests whose answer is an event stream. Throws a ProviderError for a successful answer that is empty or a
 * document, such as a gateway's error with status 200: the SDK would find no events and lose the text. Event streams go
 * through `answerBody`. Errors are cut to their first 64 KiB, since they are stored. Calls the watch of a signal from
 * `signalWithWatch`.
 */
export function streamFetch(fetch: Fetch, { source, timeout = 0, baseURLHint }: StreamFetchOptions): Fetch {
  return async (input, init) => {
    const { onSent, onBytes } = watchOf(init?.signal) ?? {}
    const sent: HTTPRequestInit = { ...(timeout > 0 ? limited(init, timeout) : init), onSent }
    const response = await fetch(input, sent)
    if (!response.ok) {
      return response.body === null ? response : responseOf(response, bodyBeginning(response.body, MAX_DOCUMENT_BYTES))
    }
    onBytes?.()
    if (response.status !== 204 && isEventStream(response)) {
      return response.body === null ? response : responseOf(response, answerBody(response.body, source, onBytes))
    }

    const head = response.body === null ? undefined : await readHead(response.body)
    if (head === undefined || head.text === "") throw emptyAnswer(response, source, baseURLHint)
    // Events under a wrong label.
    if (!/^[{[<]/.test(head.text)) return responseOf(response, answerBody(head.whole(), source, onBytes))
    throw await documentError(response, head, { source, baseURLHint })
  }
}

function isEventStream({ headers }: Response): boolean {
  return /^\s*text\/event-stream\b/i.test(headers.get("content-type") ?? "")
}

function limited(init: RequestInit | undefined, timeout: number): RequestInit {
  const signals = [AbortSignal.timeout(Math.min(timeout, MAX_TIMER_MS)), ...(init?.signal ? [init.signal] : [])]
  return { ...init, signal: AbortSignal.any(signals) }
}

async function documentError(
  response: Response,
  head: BodyHead,
  { source, baseURLHint }: StreamFetchOptions,
): Promise<ProviderError> {
  const { status, url, headers } = response
  const body = await head.document()
  const error = classifyResponse({ url, status, headers: Object.fromEntries(headers), body }, source)
  if (error.kind !== "unknown") return error
  const message = `${serverName(source, url)} answered with a document instead of a stream of events. ${baseURLHint}`
  return new ProviderError("invalid-request", message, error.details)
}

function emptyAnswer({ status, url }: Response, source: ErrorSource, baseURLHint: string): ProviderError {
  const message = `${serverName(source, url)} gave an empty answer (${status}) instead of a stream of events. ${baseURLHint}`
  return new ProviderError("incomplete-stream", message, { providerID: source.providerID, statusCode: status })
}
