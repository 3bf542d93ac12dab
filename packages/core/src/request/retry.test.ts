import { describe, expect, it } from "vitest"
import { ProviderError, type ProviderErrorKind, toStoredError } from "../base/errors.ts"
import { defaultRetry, retryDecision, retryPolicy } from "./retry.ts"

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
const decide = (error: ProviderError, attempts: typeof first, jitter: number) =>
  retryDecision(error, attempts, defaultRetry, jitter)

it.each(retryable)("tries %s again", (kind) => {
  expect(decide(failure(kind), first, 0).type).toBe("retry")
})

it.each(final)("gives %s up at once, also when the server says when to come back", (kind) => {
  expect(decide(failure(kind), first, 0)).toEqual({ type: "give-up" })
  expect(decide(failure(kind, 1_000), first, 0)).toEqual({ type: "give-up" })
})

it.each([...retryable, ...final])("agrees with what is stored of %s", (kind) => {
  const { isRetryable = false } = toStoredError(failure(kind)).data as { isRetryable?: boolean }
  expect(decide(failure(kind), first, 0).type).toBe(isRetryable ? "retry" : "give-up")
})

describe("the delay", () => {
  const delay = (failed: number, jitter: number, retryAfter?: number) => {
    const decision = decide(failure("rate-limited", retryAfter), { failed, elapsed: 0 }, jitter)
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
  expect(decide(failure("transient"), { failed: 4, elapsed: 0 }, 0).type).toBe("retry")
  for (const failed of [5, 6, 100]) {
    expect(decide(failure("transient"), { failed, elapsed: 0 }, 0)).toEqual({
      type: "give-up",
      reason: "Gave up after 5 attempts.",
    })
  }
})

it("stops when the next attempt would begin more than ten minutes after the first", () => {
  expect(decide(failure("transient"), { failed: 1, elapsed: 599_000 }, 0).type).toBe("retry")
  expect(decide(failure("transient"), { failed: 1, elapsed: 599_001 }, 0)).toEqual({
    type: "give-up",
    reason: "Gave up after 10 minutes.",
  })
})

it("does not wait longer than a minute for a server, and says when to come back", () => {
  expect(decide(failure("rate-limited", 60_001), first, 0)).toEqual({
    type: "give-up",
    reason: "The server asks to wait 61 s.",
    wait: 60_001,
  })
})

describe("a policy of one's own", () => {
  it("says how often, for how long and after which delay", () => {
    const policy = retryPolicy({ attempts: 2, total: 5_000, delay: 100 })
    const at = (failed: number, elapsed: number) => retryDecision(failure("transient"), { failed, elapsed }, policy, 0)
    expect(at(1, 4_900)).toEqual({ type: "retry", delay: 100 })
    expect(at(1, 4_901)).toEqual({ type: "give-up", reason: "Gave up after 5 s." })
    expect(at(2, 0)).toEqual({ type: "give-up", reason: "Gave up after 2 attempts." })
  })

  it("may go on for as long as it takes, but never waits more than a minute", () => {
    const policy = retryPolicy({ attempts: 1_000, total: 0 })
    const decision = retryDecision(failure("transient"), { failed: 999, elapsed: 1e9 }, policy, 1)
    expect(decision).toEqual({ type: "retry", delay: 60_000 })
  })

  it.each([{ attempts: 0 }, { attempts: 1.5 }, { total: -1 }, { delay: Number.NaN }])("is refused: %j", (settings) => {
    expect(() => retryPolicy(settings)).toThrow(RangeError)
  })
})
