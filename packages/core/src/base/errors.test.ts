import { describe, expect, it } from "vitest"
import { z } from "zod"
import {
  HookError,
  isAbort,
  messageOf,
  PermissionDeniedError,
  ProviderError,
  type ProviderErrorKind,
  toStoredError,
} from "./errors.ts"

const details = {
  providerID: "acme",
  statusCode: 500,
  responseHeaders: { "x-request": "1" },
  responseBody: "{}",
  retryAfter: 2_000,
}
const cyclic: Record<string, unknown> = {}
cyclic["message"] = cyclic
const aborted = AbortSignal.abort().reason as unknown

describe("toStoredError", () => {
  it.each([
    ["auth", { name: "ProviderAuthError", data: { message: "No.", providerID: "acme" } }],
    ["overflow", { name: "ContextOverflowError", data: { message: "No.", responseBody: "{}" } }],
    ["content-policy", { name: "ContentFilterError", data: { message: "No." } }],
  ] as const)("gives the provider's error %s a name of its own", (kind, expected) => {
    expect(toStoredError(new ProviderError(kind, "No.", details))).toEqual(expected)
  })

  it.each<[ProviderErrorKind, boolean]>([
    ["transient", true],
    ["rate-limited", true],
    ["incomplete-stream", true],
    ["transport", true],
    ["quota-exhausted", false],
    ["invalid-request", false],
    ["unknown", false],
  ])("stores the provider's error %s with its details and whether a retry may help", (kind, isRetryable) => {
    const { statusCode, responseHeaders, responseBody } = details
    expect(toStoredError(new ProviderError(kind, "No.", details))).toEqual({
      name: "APIError",
      data: { message: "No.", kind, statusCode, isRetryable, responseHeaders, responseBody },
    })
  })

  it.each(["invalid-request", "overflow"] as const)("cuts the long body of the provider's error %s", (kind) => {
    const body = `${"x".repeat(16_383)}${"😀".repeat(100_000)}`
    const { data } = toStoredError(new ProviderError(kind, "No.", { responseBody: body }))
    const short = toStoredError(new ProviderError(kind, "No.", { responseBody: body.slice(0, 16_383) }))

    // A character that the cut would halve is replaced.
    expect(data["responseBody"]).toBe(`${"x".repeat(16_383)}\uFFFD…`)
    expect(short.data["responseBody"]).toBe("x".repeat(16_383))
  })

  it("stores what was refused", () => {
    const refusal = { permission: "bash", pattern: "rm x", tool: "shell", decidedBy: "rule" } as const
    const data = { message: "No.", permission: "bash", pattern: "rm x", tool: "shell" }
    const name = "PermissionDeniedError"
    expect(toStoredError(new PermissionDeniedError("No.", refusal))).toEqual({ name, data })
    const rule = { permission: "bash", pattern: "rm *", action: "deny", scope: "a", file: "/a.json", line: 3 } as const
    expect(toStoredError(new PermissionDeniedError("No.", { ...refusal, rule }))).toEqual({
      name,
      data: { ...data, rule },
    })
  })

  it.each<[string, unknown, string, string]>([
    ["an abort", aborted, "MessageAbortedError", "The run was aborted."],
    ["an error", new TypeError("x is not a function"), "UnknownError", "x is not a function"],
    [
      "a plugin's error",
      new HookError("acme", "event", "broke"),
      "UnknownError",
      'Plugin "acme" failed in hook "event": broke',
    ],
    ["a text", "broke", "UnknownError", "broke"],
    ["undefined", undefined, "UnknownError", "undefined"],
    ["null", null, "UnknownError", "null"],
    ["an object that has a message", { message: "broke" }, "UnknownError", "broke"],
    ["an object without", { error: { code: 5 } }, "UnknownError", '{"error":{"code":5}}'],
    [
      "an error whose message is an object",
      Object.assign(new Error("x"), { message: { code: 5 } }),
      "UnknownError",
      '{"code":5}',
    ],
    ["an error whose message is a number", Object.assign(new Error("x"), { message: 5 }), "UnknownError", "5"],
    ["a symbol", Symbol("broke"), "UnknownError", "Symbol(broke)"],
  ])("turns %s into an error with a message", (_what, thrown, name, message) => {
    expect(toStoredError(thrown)).toEqual({ name, data: { message } })
  })

  it.each<[string, unknown]>([
    ["without a text form", Object.create(null)],
    ["whose message contains itself", cyclic],
    ["that becomes nothing in JSON", { toJSON: () => undefined }],
  ])("turns a value %s into an error with words", (_what, thrown) => {
    const stored = toStoredError(thrown)
    expect(stored.name).toBe("UnknownError")
    expect(stored.data.message).toMatch(/^A value without words was thrown\.$/)
  })

  it("gives what survives a round trip through JSON", () => {
    for (const error of [new ProviderError("auth", "No."), new ProviderError("transient", "No."), aborted]) {
      const stored = toStoredError(error)
      expect(JSON.parse(JSON.stringify(stored))).toEqual(stored)
    }
  })
})

it.each<[string, unknown, boolean]>([
  ["an abort of a controller", aborted, true],
  ["an AbortError of another library", Object.assign(new Error("x"), { name: "AbortError" }), true],
  ["a time-out", new DOMException("late", "TimeoutError"), false],
  ["a value that only looks like one", { name: "AbortError" }, false],
])("knows whether %s is an abort", (_what, thrown, expected) => {
  expect(isAbort(thrown)).toBe(expected)
})

describe("messageOf", () => {
  const named = (name: string, issues: unknown, message = "own words") =>
    Object.assign(new Error(message), { name, issues })
  const issue = { path: ["a"], message: "Wrong" }

  it("gives the words of a value that does not fit a schema, with its place, and not zod's JSON", () => {
    const schema = z.object({ server: z.object({ port: z.number() }), name: z.string() })
    expect(messageOf(schema.safeParse({ server: { port: "x" } }).error)).toMatch(/^server\.port: [^;{]+; name: [^;{]+$/)
    expect(messageOf(z.string().safeParse(1).error)).toMatch(/^[^:{]+: expected string[^{]+$/)
  })

  it.each([
    ["several", "ZodError", [issue, { path: [Symbol("s"), 1], message: "No" }], "a: Wrong; Symbol(s).1: No"],
    ["one of zod's core", "$ZodError", [issue], "a: Wrong"],
    ["one of the whole", "ZodError", [{ path: [], message: "Wrong" }], "Wrong"],
    ["many", "ZodError", Array.from({ length: 7 }, () => issue), `${"a: Wrong; ".repeat(5)}and 2 more`],
    ["none", "ZodError", [], "own words"],
    ["no list", "ZodError", "?", "own words"],
    ["one without a path", "ZodError", [{ message: "Wrong" }], "own words"],
    ["one without words", "ZodError", [{ path: ["a"] }], "own words"],
    ["those of something else", "TypeError", [issue], "own words"],
  ])("reads issues, and else the error's own words: %s", (_, name, issues, expected) => {
    expect(messageOf(named(name, issues))).toBe(expected)
  })
})
