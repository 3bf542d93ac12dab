import { expect, it } from "vitest"
import { fullMode } from "./repository.ts"

it.each([
  [false, undefined, 0o644],
  [true, undefined, 0o755],
  [false, 0o664, 0o664],
  [true, 0o700, 0o700],
  [false, 0o775, 0o664],
  [true, 0o640, 0o750],
])("takes bits that git does not keep from the present file: %s, %o", (isExecutable, present, mode) => {
  expect(fullMode(isExecutable, present)).toBe(mode)
})
