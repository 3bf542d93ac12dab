import { expect, it } from "vitest"
import { startHash } from "./content-hash.ts"

const server = { type: "local", command: ["a", "b"], environment: { K: "v" }, cwd: "x" }

it("is the same in whatever order keys are written, and for other deadlines and switches", () => {
  const { type, ...rest } = server
  expect(startHash({ ...rest, type, timeout: 5, enabled: true })).toBe(startHash(server))
})

it.each([
  { ...server, command: ["a", "B"] },
  { ...server, command: ["a", "b", ""] },
  { ...server, environment: { K: "w" } },
  { ...server, environment: { L: "v" } },
  { ...server, cwd: "y" },
  { type: "remote", url: "https://a" },
])("is another for %j", (changed) => {
  expect(startHash(changed)).not.toBe(startHash(server))
})
