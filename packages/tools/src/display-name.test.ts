import { expect, it } from "vitest"
import { displayName } from "./display-name.ts"

it("keeps a name on one line", () => {
  expect(displayName("a\nb\tc\u001b[31m.txt")).toBe("a\\nb\\tc\\u001b[31m.txt")
})

it("leaves other names as they are", () => {
  expect(displayName("spaß $(touch HIT) .txt")).toBe("spaß $(touch HIT) .txt")
})
