import { expect, it } from "vitest"
import type { Fact } from "./conversation.ts"
import { added, score, share } from "./score.ts"

const path: Fact = { kind: "path", key: "src/a/b-0001aa.ts", equivalent: "src/a/: [^\\\\]*b-0001aa.ts", from: 3 }
const request: Fact = { kind: "request", key: "ticket #c-0002bb", from: 2, until: 9 }

it("gives nothing to a request that does not tell the fact", () => {
  const { path: found, request: asked } = score([path, request], { text: '"src/a/b.ts"', moment: 4 })
  expect([found, asked]).toEqual([
    { kept: 0, planted: 1 },
    { kept: 0, planted: 1 },
  ])
  expect(share(found)).toBe(0)
})

it("finds a fact by its key, and a path in a list of its directory", () => {
  const lists = JSON.stringify("Files:\n- src/a/: x.ts, b-0001aa.ts\n- src/b/: y.ts")
  expect(score([path], { text: "edit src/a/b-0001aa.ts", moment: 4 }).path.kept).toBe(1)
  expect(score([path], { text: lists, moment: 4 }).path.kept).toBe(1)
  const elsewhere = JSON.stringify("Files:\n- src/a/: x.ts\n- src/b/: b-0001aa.ts")
  expect(score([path], { text: elsewhere, moment: 4 }).path.kept).toBe(0)
})

it("asks only for what has been said and still holds", () => {
  expect(score([path, request], { text: "", moment: 2 })).toMatchObject({
    path: { planted: 0 },
    request: { planted: 1 },
  })
  expect(score([path, request], { text: "", moment: 9 })).toMatchObject({
    path: { planted: 1 },
    request: { planted: 0 },
  })
})

it("adds up what several conversations kept", () => {
  expect(
    share(
      added([
        { kept: 1, planted: 1 },
        { kept: 0, planted: 3 },
      ]),
    ),
  ).toBe(25)
  expect(share(added([]))).toBeNaN()
})
