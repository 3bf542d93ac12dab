import { expect, it } from "vitest"
import { maskedStrings } from "./masked-strings.ts"

it("masks each string of a value, and leaves all else as it is", () => {
  const value = { a: ["x", { secret: "x" }], n: 1, no: null, yes: true, un: undefined }

  expect(maskedStrings(value, (text) => `${text}!`)).toEqual({
    ...{ a: ["x!", { secret: "x!" }], n: 1, no: null, yes: true, un: undefined },
  })
  expect(value.a[0]).toBe("x")
})
