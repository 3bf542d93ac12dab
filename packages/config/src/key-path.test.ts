import { describe, expect, it } from "vitest"
import { formatKeyPath, type KeyPath, valueAt, withoutPaths } from "./key-path.ts"

describe("formatKeyPath", () => {
  it.each<{ path: KeyPath; text: string }>([
    { path: ["model"], text: "model" },
    { path: ["provider", "local", "options", "baseURL"], text: "provider.local.options.baseURL" },
    { path: ["provider", "openai-compatible"], text: "provider.openai-compatible" },
    { path: ["plugin", 0, 1, "level"], text: "plugin[0][1].level" },
    { path: ["permission", "bash", "git *"], text: 'permission.bash["git *"]' },
    { path: ["provider", "a.b"], text: 'provider["a.b"]' },
    { path: ["provider", ""], text: 'provider[""]' },
    { path: ["agent", "prüfer"], text: "agent.prüfer" },
    { path: ["a", "0"], text: "a.0" },
    { path: [], text: "" },
  ])("writes $text", ({ path, text }) => {
    expect(formatKeyPath(path)).toBe(text)
  })
})

describe("valueAt", () => {
  it("follows keys and indexes", () => {
    expect(valueAt({ plugin: [["a", { level: 3 }]] }, ["plugin", 0, 1, "level"])).toBe(3)
  })

  it.each<{ path: KeyPath }>([{ path: ["toString"] }, { path: ["text", "length"] }, { path: ["none", "none"] }])(
    "finds nothing at $path",
    ({ path }) => {
      expect(valueAt({ text: "abc" }, path)).toBeUndefined()
    },
  )
})

describe("withoutPaths", () => {
  it("takes keys away wherever they are, and leaves what was given as it is", () => {
    const value = { a: 1, b: [{ c: 1, d: 2 }, { c: 3 }], e: { f: { g: 1, h: 2 } } }
    const paths = [["a"], ["b", 0, "c"], ["e", "f", "g"], ["none", "x"]]

    expect(withoutPaths(value, paths)).toEqual({ b: [{ d: 2 }, { c: 3 }], e: { f: { h: 2 } } })
    expect(value.e.f.g).toBe(1)
    expect(withoutPaths(value, [])).toBe(value)
  })
})
