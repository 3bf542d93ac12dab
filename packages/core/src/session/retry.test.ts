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
const first = { failed: 1, elapsed: 0 }

it.each(retryable)("tries %s again", (kind) => {
  expect(retryDecision(failure(kind), first, 0).type).toBe("retry")
})

it.each(final)("gives %s up at once, also when the server says when to come back", (kind) => {
  expect(retryDecision(failure(kind), first, 0)).toEqual({ type: "give-up" })
  expect(retryDecision(failure(kind, 1_000), first, 0)).toEqual({ type: "give-up" })
})

it.each([...retryable, ...final])("agrees with what is stored of %s", (kind) => {
  const { isRetryable = false } = toStoredError(failure(kind)).data as { isRetryable?: boolean }
  expect(retryDecision(failure(kind), first, 0).type).toBe(isRetryable ? "retry" : "give-up")
})

describe("the delay", () => {
  const delay = (failed: number, jitter: number, retryAfter?: number) => {
    const decision = retryDecision(failure("rate-limited", retryAfter), { failed, elapsed: 0 }, jitter)
    if (decision.type !== "retry") return expect.fail("gave up")
    return decision.delay
  }

  it("is a second at first and doubles with each attempt", () => {
    expect([1, 2, 3, 4].map((failed) => delay(failed, 0))).toEqual([1_000, 2_000, 4_000, 8_000])
  })

  it("grows by jitter to at most a quarter more", () => {
    expect([0, 0.5, 1].map((jitter) => delay(2, jitter))).toEqual([2_000, 2_250, 2_500])
  })

  it.each([10, 10_000, 60_000])("is what the server asks for: %d ms", (asked) => {
    expect(delay(1, 1, asked)).toBe(asked)
    expect(delay(4, 0, asked)).toBe(asked)
  })

  it.each([0, -5_000])("is not left out when the server asks for %d ms", (asked) => {
    expect(delay(1, 0, asked)).toBe(1_000)
  })
})

it("stops after five attempts and says so", () => {
  expect(retryDecision(failure("transient"), { failed: 4, elapsed: 0 }, 0).type).toBe("retry")
  for (const failed of [5, 6, 100]) {
    expect(retryDecision(failure("transient"), { failed, elapsed: 0 }, 0)).toEqual({
      type: "give-up",
      reason: "Gave up after 5 attempts.",
    })
  }
})

it("stops when the next attempt would begin more than ten minutes after the first", () => {
  expect(retryDecision(failure("transient"), { failed: 1, elapsed: 599_000 }, 0).type).toBe("retry")
  expect(retryDecision(failure("transient"), { failed: 1, elapsed: 599_001 }, 0)).toEqual({
    type: "give-up",
    reason: "Gave up after 10 minutes.",
  })
})

it("does not wait longer than a minute for a server, and says when to come back", () => {
  expect(retryDecision(failure("rate-limited", 60_001), first, 0)).toEqual({
    type: "give-up",
    reason: "The server asks to wait 61 s. Continue the session after that.",
  })
})
