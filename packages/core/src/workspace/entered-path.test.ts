import { expect, it } from "vitest"
import { enteredPath } from "./entered-path.ts"

it.each([
  [{ filepath: "/p/a.ts", truncated: false }, "/p/a.ts"],
  [{ diff: "", filediff: { file: "/p/b.ts", additions: 1 } }, "/p/b.ts"],
  [{ directory: "/p" }, "/p"],
  [{ filepath: 1, filediff: null }, undefined],
  [{ filepath: "", filediff: ["/p"] }, undefined],
  [{}, undefined],
])("of the metadata %j the path is %s", (metadata, path) => {
  expect(enteredPath(metadata)).toBe(path)
})
