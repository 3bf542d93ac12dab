import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { McpError } from "@modelcontextprotocol/sdk/types.js"
import { z } from "zod"
import { McpServerError, wordsOf } from "../errors.ts"
import { MAX_TIMER_MS, createInactivityTimer } from "./inactivity-timer.ts"
import { isUnauthorized, needsAuth } from "./unauthorized.ts"

export interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** Error code for a request whose response the transport has lost. */
export const ANSWER_LOST = -32_999

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds since the last progress; 0: no limit. */
  readonly deadline: number
  readonly onProgress?: (progress: Progress) => void
  /** Called with a function that stops the timer while a user is asked. */
  readonly onHold?: (hold: () => () => void) => void
  /** Runs the request as a task, for tools that cannot be called otherwise. */
  readonly asTask?: boolean
}

/** Sends a request. Rejects with McpServerError, or with the signal's reason on abort; then the server is notified. */
export type Caller = (
  method: string,
  params: object,
  options: RequestOptions,
) => Promise<Readonly<Record<string, unknown>>>

// Accepts any response. Callers validate what they use.
const anything = z.looseObject({})

export function createCaller(server: string, client: Client): Caller {
  return async (method, params, { signal, deadline, onProgress, onHold, asTask }) => {
    signal?.throwIfAborted()
    const inner = new AbortController()
    const abort = () => inner.abort(signal?.reason)
    signal?.addEventListener("abort", abort, { once: true })
    const timer = createInactivityTimer(deadline, () => inner.abort(lateError(server, method, deadline)))
    onHold?.(() => timer.hold())
    const options = {
      signal: inner.signal,
      // Disables the SDK's own limit of 60 s.
      timeout: MAX_TIMER_MS,
      onprogress(progress: Progress) {
        timer.touch()
        onProgress?.(progress)
      },
    }
    try {
      const request = { method, params: { ...params } }
      if (asTask) return await asTaskOf(client, request, options, () => timer.touch())
      return await client.request(request, anything, options)
    } catch (error) {
      if (inner.signal.aborted) throw inner.signal.reason
      throw toServerError(server, method, error, client.transport === undefined)
    } finally {
      timer.end()
      signal?.removeEventListener("abort", abort)
    }
  }
}

export function lateError(server: string, method: string, deadline: number): McpServerError {
  const text = `The MCP server "${server}" did not answer ${method} within ${deadline / 1000} s. More time: mcp.${server}.timeouts.`
  return new McpServerError("timeout", server, text)
}

type SDKOptions = Parameters<Client["request"]>[2]

async function asTaskOf(
  client: Client,
  request: { method: string; params: Record<string, unknown> },
  options: NonNullable<SDKOptions>,
  onSign: () => void,
): Promise<Readonly<Record<string, unknown>>> {
  let taskID: string | undefined
  const cancel = () => {
    if (taskID !== undefined) void client.experimental.tasks.cancelTask(taskID).catch(() => undefined)
  }
  options.signal?.addEventListener("abort", cancel, { once: true })
  const stream = client.experimental.tasks.requestStream(request, anything, { ...options, task: {} })
  for await (const message of stream) {
    onSign()
    if (message.type === "taskCreated") taskID = message.task.taskId
    if (message.type === "error") throw message.error
    if (message.type === "result") return message.result
  }
  throw new Error("The task ended without a result.")
}

/** Converts an error by the code that the protocol gives it. */
function toServerError(server: string, method: string, error: unknown, isClosed: boolean): McpServerError {
  if (error instanceof McpServerError) return error
  if (isUnauthorized(error)) return needsAuth(server, error)
  const message = wordsOf(error)
  // Servers may use the code of a closed connection for their own errors, because their codes start with it.
  const isLost = isClosed || (error instanceof McpError && error.code === ANSWER_LOST)
  if (error instanceof McpError && !isLost) {
    return new McpServerError("refused", server, `The MCP server "${server}" refused ${method}: ${message}`, {
      cause: error,
    })
  }
  const text = `The MCP server "${server}" ended or was lost during ${method}; whether it took effect is not known: ${message}`
  return new McpServerError("connection-lost", server, text, { cause: error })
}
