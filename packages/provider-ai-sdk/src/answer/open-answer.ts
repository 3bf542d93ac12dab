import type { ReadableStreamReadResult } from "node:stream/web"
import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from "@ai-sdk/provider"
import { abortError } from "@pawl/core/provider"

export interface Answer {
  read(): Promise<ReadableStreamReadResult<LanguageModelV4StreamPart>>
  /** Closes a connection that is still open. */
  close(): void
}

/**
 * Resolves when the call's answer begins. Once the signal has aborted it rejects with an AbortError, and a pending
 * `read()` ends, even when the language model does not listen to the signal.
 */
export async function openAnswer(call: Promise<LanguageModelV4StreamResult>, signal: AbortSignal): Promise<Answer> {
  const { stream } = await unlessAborted(call, signal)
  const reader = stream.getReader()
  // Cancelling the reader ends a pending read(). Racing each read against the signal would cost far more.
  const close = () => {
    signal.removeEventListener("abort", close)
    reader.cancel(signal.reason).catch(ignore)
  }
  signal.addEventListener("abort", close, { once: true })
  if (signal.aborted) close()
  return { read: () => reader.read(), close }
}

async function unlessAborted(
  call: Promise<LanguageModelV4StreamResult>,
  signal: AbortSignal,
): Promise<LanguageModelV4StreamResult> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(abortError(signal))
  signal.addEventListener("abort", onAbort, { once: true })
  try {
    return await Promise.race([call, aborted])
  } catch (error) {
    // An answer that begins after the abort has no reader and must not keep its connection.
    if (signal.aborted) call.then(({ stream }) => stream.cancel(signal.reason)).catch(ignore)
    throw error
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}

// The answer is discarded, so its errors are too.
function ignore(): void {}
