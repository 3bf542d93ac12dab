import { expect, it } from "vitest"
import { allowedHosts } from "./allow-private.ts"

it.each([
  ["localhost", "localhost", true],
  ["Wiki.Corp", "wiki.corp", true],
  ["wiki.corp", "evil.wiki.corp", false],
  ["*.corp", "wiki.corp", true],
  ["*.corp", "corp", false],
  ["*.corp", "evilcorp", false],
  ["[::1]", "::1", true],
  ["10.0.0.1", "10.0.0.1", true],
  ["localhost:8080", "localhost", false],
])("%s allows %s: %s", (entry, host, isAllowed) => {
  expect(allowedHosts([entry])(host)).toBe(isAllowed)
})
