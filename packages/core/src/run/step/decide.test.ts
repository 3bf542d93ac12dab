import { expect, it } from "vitest"
import { ProviderError, type ProviderErrorKind, RepetitionError } from "../../base/errors.ts"
import type { Write } from "../../contracts/storage.ts"
import { defaultRetry } from "../../request/retry.ts"
import { decideAfterFailure, type Failure } from "./decide.ts"

const refused: Write[] = [{ type: "message.remove", messageID: "msg_1" }]

function decide(error: unknown, more: Partial<Failure> = {}) {
  const failure = { error, called: false, attempt: 1, elapsed: 0, quarantine: [], ...more }
  return decideAfterFailure(failure, defaultRetry, 0)
}

function failed(kind: ProviderErrorKind) {
  return new ProviderError(kind, "No.")
}

it("keeps refused files out of the next request", () => {
  expect(decide(failed("invalid-request"), { quarantine: refused })).toEqual({ type: "quarantine", writes: refused })
})

it("makes room for a request that does not fit, unless files were refused", () => {
  const refusal = failed("overflow")
  expect(decide(refusal)).toEqual({ type: "make-room", refusal })
  expect(decide(refusal, { quarantine: refused })).toMatchObject({ type: "quarantine" })
})

it("keeps the message of an answer whose calls ran: it makes no room and removes no files", () => {
  expect(decide(failed("overflow"), { called: true })).toEqual({ type: "give-up" })
  expect(decide(failed("invalid-request"), { called: true, quarantine: refused })).toEqual({ type: "give-up" })
})

it("nudges a model that repeats itself, or gives up, as the guard says", () => {
  expect(decide(new RepetitionError("Stop that.", "nudge"))).toEqual({ type: "nudge", text: "Stop that." })
  expect(decide(new RepetitionError("Stop that.", "stop"))).toEqual({ type: "give-up" })
})

it("retries what may succeed later, until the attempts or the time are spent", () => {
  expect(decide(failed("transient"))).toEqual({ type: "retry", delay: 1000 })
  expect(decide(failed("transient"), { called: true, attempt: 2 })).toEqual({ type: "retry", delay: 2000 })
  expect(decide(failed("transient"), { attempt: 5 })).toEqual({ type: "give-up", reason: "Gave up after 5 attempts." })
  expect(decide(failed("transient"), { elapsed: 600_000 })).toMatchObject({ type: "give-up" })
})

it("gives up at once for other errors", () => {
  expect(decide(failed("auth"))).toEqual({ type: "give-up" })
  expect(decide(new TypeError("broken"))).toEqual({ type: "give-up" })
})
