import { expect, it } from "vitest"
import { firstCharacters, lastCharacters } from "./characters.ts"

it("never cuts a character in two", () => {
  expect(firstCharacters("ab😀", 3)).toBe("ab")
  expect(firstCharacters("ab😀", 4)).toBe("ab😀")
  expect(lastCharacters("😀ab", 3)).toBe("ab")
  expect(lastCharacters("😀ab", 4)).toBe("😀ab")
})
