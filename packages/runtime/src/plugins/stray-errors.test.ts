import { expect, it } from "vitest"
import { blamed, createStrayCounts } from "./stray-errors.ts"

const places = [
  { id: "guard-kit", root: "/cache/node_modules/guard-kit", entry: "/cache/node_modules/guard-kit/dist/index.js" },
  { id: "/p/.pawl/plugin/a.ts", root: "/p/.pawl/plugin", entry: "/p/.pawl/plugin/a.ts" },
  { id: "/p/.pawl/plugin/b.ts", root: "/p/.pawl/plugin", entry: "/p/.pawl/plugin/b.ts" },
  { id: "/my p/c.ts", root: "/my p", entry: "/my p/c.ts" },
]

it.each([
  ["Error: x\n    at f (node:fs:1:1)\n    at g (/p/.pawl/plugin/b.ts:3:4)", "/p/.pawl/plugin/b.ts"],
  ["Error: x\n    at file:///p/.pawl/plugin/a.ts:3:4", "/p/.pawl/plugin/a.ts"],
  ["Error: x\n    at f (file:///my%20p/c.ts:3:4)", "/my p/c.ts"],
  ["Error: x\n    at f (file:///my%2/c.ts:3:4)", undefined],
  ["Error: x\n    at f (/cache/node_modules/guard-kit/dist/other.js:9:9)", "guard-kit"],
  ["Error: x\n    at f (/p/.pawl/plugin/shared/c.ts:1:1)", undefined],
  ["Error: spawn nothing ENOENT\n    at onErrorNT (node:internal/child_process:484:16)", undefined],
  ["Error: it said /p/.pawl/plugin/a.ts:1 in its message", undefined],
  ["", undefined],
])("names whose code stands nearest to the error: %j", (stack, id) => {
  expect(blamed(stack, places)).toBe(id)
})

it("tells three messages of a plugin once each, and in the end how many more there were", () => {
  const told: string[] = []
  const counts = createStrayCounts((text) => told.push(text))

  for (const message of ["a", "a", "b", "c", "d", "a"]) counts.add("the plugin x", message)
  counts.add("the plugin y", "a")
  counts.close()
  counts.close()

  expect(told).toEqual([
    ...["a", "b", "c"].map((message) => `the plugin x failed outside of its hooks: ${message}`),
    "the plugin y failed outside of its hooks: a",
    "the plugin x failed outside of its hooks 3 more times.",
  ])
})
