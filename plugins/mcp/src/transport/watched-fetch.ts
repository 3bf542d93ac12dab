import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"

export interface FetchWatch {
  /** Called when the responses to these requests arrive as a stream. */
  onStream(ids: readonly (string | number)[]): void
  /** Called when the stream ended and cannot be resumed, so these requests may get no response. */
  onStreamEnd(ids: readonly (string | number)[]): void
  /** Called if the server does not know the session or cannot be reached. */
  onLost(reason: string): void
}

/** Number of consecutive failures to open the notification stream after which the server counts as lost. */
const STREAM_FAILURES = 3

/** Returns a fetch that reports events for which the SDK would wait in vain. */
export function watchedFetch(fetch: FetchLike, watch: FetchWatch): FetchLike {
  let failures = 0
  const failed = (method: string, reason: string) => {
    failures++
    if (method === "POST" || failures >= STREAM_FAILURES) watch.onLost(reason)
  }
  return async (url, init) => {
    const method = init?.method ?? "GET"
    let response: Response
    try {
      response = await fetch(url, init)
    } catch (error) {
      if (!init?.signal?.aborted) failed(method, (error as Error).message)
      throw error
    }
    if (new Headers(init?.headers).has("mcp-session-id")) {
      if (method === "POST" && (await isSessionGone(response))) watch.onLost("it does not know the session any more")
      else if (method === "GET" && !response.ok && response.status !== 405) failed(method, `HTTP ${response.status}`)
      else failures = 0
    }
    const ids = method === "POST" ? requestIDs(init?.body) : []
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
    if (ids.length === 0 || !isStream || !response.body) return response
    watch.onStream(ids)
    return watched(response, response.body, ids, watch)
  }
}

// The protocol requires 404, but some servers answer 400 with a message.
async function isSessionGone(response: Response): Promise<boolean> {
  if (response.status === 404) return true
  return response.status === 400 && /session/i.test(await response.clone().text())
}

function requestIDs(body: unknown): readonly (string | number)[] {
  if (typeof body !== "string") return []
  const parsed = JSON.parse(body) as Message | Message[]
  return [parsed].flat().flatMap(({ id, method }) => (id !== undefined && method !== undefined ? [id] : []))
}

interface Message {
  readonly id?: string | number
  readonly method?: string
}

function watched(
  response: Response,
  body: ReadableStream<Uint8Array>,
  ids: readonly (string | number)[],
  watch: FetchWatch,
): Response {
  // If an event has an id, the SDK resumes the stream itself.
  let isResumable = false
  let tail = "\n"
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      if (isResumable) return
      const text = tail + Buffer.from(chunk).toString("latin1")
      isResumable = /[\r\n]id: ?[^\r\n]/.test(text)
      tail = text.slice(-8)
    },
  })
  const ended = () => {
    if (!isResumable) watch.onStreamEnd(ids)
  }
  void body.pipeTo(writable).then(ended, ended)
  const { status, statusText, headers } = response
  return new Response(readable, { status, statusText, headers: [...headers] })
}
