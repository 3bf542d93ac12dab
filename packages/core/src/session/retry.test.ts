import { describe, expect, it } from "vitest"
import { ProviderError, type ProviderErrorKind, toStoredError } from "../errors.ts"
import { retryDecision } from "./retry.ts"

const failure = (kind: ProviderErrorKind, retryAfter?: number) => new ProviderError(kind, "No.", { retryAfter })
const retryable: ProviderErrorKind[] = ["transient", "rate-limited", "incomplete-stream", "transport"]
const final: ProviderErrorKind[] = [
  "quota-exhausted",
  "auth",
  "overflow",
  "content-policy",
  "invalid-request",
  "unknown",
]

it.each(retryable)("tries %s again", (kind) => {
  expect(retryDecision(failure(kind), 1, 0).type).toBe("retry")
})

it.each(final)("gives %s up at once, also when the server says when to come back", (kind) => {
  expect(retryDecision(failure(kind), 1, 0)).toEqual({ type: "give-up" })
  expect(retryDecision(failure(kind, 1_000), 1, 0)).toEqual({ type: "give-up" })
})

it.each([...retryable, ...final])("agrees with what is stored of %s", (kind) => {
  const { isRetryable = false } = toStoredError(failure(kind)).data as { isRetryable?: boolean }
  expect(retryDecision(failure(kind), 1, 0).type).toBe(isRetryable ? "retry" : "give-up")
})

describe("the delay", () => {
  const delay = (attempt: number, jitter: number, retryAfter?: number) => {
    const decision = retryDecision(failure("rate-limited", retryAfter), attempt, jitter)
    return decision.type === "retry" ? decision.delay : Number.NaN
  }

  it("doubles with each attempt", () => {
    const delays = [1, 2, 3, 4].map((attempt) => delay(attempt, 0))
    expect(delays.map((each) => each / delay(1, 0))).toEqual([1, 2, 4, 8])
  })

  it("grows by jitter to at most a quarter more", () => {
    for (const attempt of [1, 2, 3, 4]) {
      expect(delay(attempt, 1)).toBe(delay(attempt, 0) * 1.25)
      expect(delay(attempt, 0.5)).toBeGreaterThan(delay(attempt, 0))
    }
  })

  it.each([10_000, 60_000])("is what the server asks for: %d ms", (asked) => {
    expect(delay(1, 1, asked)).toBe(asked)
    expect(delay(4, 0, asked)).toBe(asked)
  })
})

it("stops after five attempts and says so", () => {
  expect(retryDecision(failure("transient"), 4, 0).type).toBe("retry")
  for (const attempt of [5, 6, 100]) {
    expect(retryDecision(failure("transient"), attempt, 0)).toEqual({
      type: "give-up",
      reason: "Gave up after 5 attempts.",
    })
  }
})

it("does not wait longer than a minute for a server, and says when to come back", () => {
  expect(retryDecision(failure("rate-limited", 60_001), 1, 0)).toEqual({
    type: "give-up",
    reason: "The server asks to wait 61 s. Continue the session after that.",
  })
})
