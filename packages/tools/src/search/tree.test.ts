import { expect, it } from "vitest"
import { tree } from "./tree.ts"

it("draws directories once, in the order of the paths", () => {
  expect(tree(["a/b/1.txt", "a/b/2.txt", "a/c/b/3.txt", "d/b/4.txt", "e.txt"])).toBe(
    [
      "  a/",
      "    b/",
      "      1.txt",
      "      2.txt",
      "    c/",
      "      b/",
      "        3.txt",
      "  d/",
      "    b/",
      "      4.txt",
      "  e.txt",
    ].join("\n"),
  )
})
