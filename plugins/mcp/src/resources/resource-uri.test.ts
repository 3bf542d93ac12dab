import { expect, it } from "vitest"
import { splitResourceName } from "./resource-uri.ts"

it("divides at the server's name, the longest that fits", () => {
  expect(splitResourceName("a:b:file://x", ["a", "a:b"])).toEqual({ server: "a:b", uri: "file://x" })
  expect(splitResourceName("a:file://x", ["a", "a:b"])).toEqual({ server: "a", uri: "file://x" })
  expect(splitResourceName("c:file://x", ["a"])).toBeUndefined()
})
