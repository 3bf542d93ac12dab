import { expect, it } from "vitest"
import { matchPath, queryValue, toPath } from "./path.ts"

const pattern = "/v1beta/models/{model}:generateContent"

it.each([
  ["/v1/messages", "/v1/messages", { model: undefined }],
  ["/v1/messages", "/v1/messages/x", undefined],
  [pattern, "/v1beta/models/gemini-3:generateContent", { model: "gemini-3" }],
  [pattern, "/v1beta/models/a%20b%:generateContent", { model: "a%20b%" }],
  [pattern, "/v1beta/models/a%20b:generateContent", { model: "a b" }],
  [pattern, "/v1beta/models/:generateContent", undefined],
  [pattern, "/v1beta/models/a/b:generateContent", undefined],
  [pattern, "/v1beta/models/gemini-3:streamGenerateContent", undefined],
])("compares %s with %s", (wanted, path, match) => {
  expect(matchPath(wanted, path)).toEqual(match)
})

it("parts the path of a target from its query", () => {
  expect(toPath("/a?b=1?c")).toBe("/a")
  expect(queryValue("/a?b=1&c=%20", "c")).toBe(" ")
  expect(queryValue("/a", "c")).toBeUndefined()
})
