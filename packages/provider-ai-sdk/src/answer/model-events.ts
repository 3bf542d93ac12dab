import type { ReadableStreamReadResult } from "node:stream/web"
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { abortError, type ModelEvent, type ProviderError } from "@pawl/core/provider"
import { isUnfinished } from "./finish-reason.ts"
import { IncompleteAnswerError } from "./incomplete-answer.ts"
import type { Answer } from "./open-answer.ts"
import { createTranslation } from "./translation.ts"

export interface AnswerSource {
  /** Sends the request. */
  open: () => Promise<Answer>
  signal: AbortSignal
  toError: (error: unknown) => ProviderError
}

type ReadResult = ReadableStreamReadResult<LanguageModelV4StreamPart>
type Result = IteratorResult<ModelEvent, undefined>

/**
 * The events of one answer; the request is sent at the first `next()`.
 *
 *   open ──▶ (start, start-step) with the first part ──▶ one event a part ──▶ (finish-step, finish) ──▶ done
 *                                                            calls wait for the part behind them
 *     └──────────────┴── any failure, an end without finish, an abort: closed, then thrown ──┘
 *
 * An iterator and not an async generator, which costs half as much again for each delta.
 */
export function modelEvents({ open, signal, toError }: AnswerSource): AsyncIterator<ModelEvent, undefined> {
  const translate = createTranslation()
  const ready: ModelEvent[] = []
  /** Some SDKs make calls from incomplete arguments if the body ends early. They count only if a finish follows. */
  let held: ModelEvent[] = []
  let answer: Answer | undefined
  let started = false
  let over = false

  function end(): void {
    over = true
    answer?.close()
  }

  function fail(error: unknown): never {
    end()
    throw signal.aborted ? abortError(signal) : toError(error)
  }

  function advance({ done, value: part }: ReadResult): Result | Promise<Result> {
    if (done || signal.aborted) throw new IncompleteAnswerError()
    if (part.type === "error") throw part.error
    if (part.type === "finish" && isUnfinished(part.finishReason)) throw new IncompleteAnswerError()
    const event = translate(part)
    if (!started && part.type !== "stream-start") {
      started = true
      ready.push({ type: "start" }, { type: "start-step" })
    }
    if (event === undefined) return next()
    if (event.type === "tool-input-end" || event.type === "tool-call") {
      held.push(event)
      return next()
    }
    if (event.type !== "finish" && ready.length === 0 && held.length === 0) return { done: false, value: event }

    ready.push(...held)
    held = []
    if (event.type === "finish") {
      end()
      ready.push({ ...event, type: "finish-step" })
    }
    ready.push(event)
    return next()
  }

  function step(result: ReadResult): Result | Promise<Result> {
    try {
      return advance(result)
    } catch (error) {
      return fail(error)
    }
  }

  async function first(): Promise<Result> {
    if (signal.aborted) fail(signal.reason)
    try {
      answer = await open()
    } catch (error) {
      fail(error)
    }
    return next()
  }

  function next(): Promise<Result> {
    const event = ready.shift()
    if (event !== undefined) return Promise.resolve({ done: false, value: event })
    if (over) return Promise.resolve({ done: true, value: undefined })
    return answer === undefined ? first() : answer.read().then(step, fail)
  }

  return {
    next,
    return() {
      ready.length = 0
      end()
      return Promise.resolve({ done: true, value: undefined })
    },
  }
}
