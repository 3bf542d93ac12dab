import { expect, it } from "vitest"
import type { ProjectContent } from "./project-content.ts"
import { trustOf } from "./trust-of.ts"

const hash = "0123456789abcdef"

function content(changes: Partial<ProjectContent> = {}): ProjectContent {
  const files = [
    { path: "pawl.json", kind: "config", hash: "a", text: "" },
    { path: ".pawl/tool/x.ts", kind: "tool", hash: "b", link: "/out", text: "" },
  ] as const
  return { directory: "/w/sub", worktree: "/w", root: "/w", files, hash, ...changes }
}

const entry = (directory: string, changes: object = {}) => ({ directory, hash, time: 1, files: {}, ...changes })

it.each([
  ["nothing", content({ files: [] }), [], undefined],
  ["untrusted", content(), [], undefined],
  ["untrusted", content(), [entry("/w/other"), entry("/"), entry("/w/sub/deeper"), entry("/wider")], undefined],
  ["trusted", content(), [entry("/w/sub")], undefined],
  ["trusted", content(), [entry("/w")], undefined],
  ["trusted", content(), [], true],
  ["trusted", content(), [], "01234567"],
  ["trusted", content(), [], hash.toUpperCase()],
  ["changed", content({ hash: "other" }), [entry("/w/sub")], undefined],
  ["trusted", content({ hash: "other" }), [entry("/w/sub")], true],
  ["untrusted", content({ problem: "Too much." }), [entry("/w/sub")], undefined],
  ["untrusted", content({ problem: "Too much.", files: [] }), [], undefined],
] as const)("%s", (state, given, entries, flag) => {
  expect(trustOf({ content: given, entries, flag })).toMatchObject({ state })
})

it("is trusted by an origin, if the content is the same", () => {
  const origins = [{ directory: "/o/sub", worktree: "/o" }]
  const state = (own: string, directory: string) => {
    return trustOf({ content: content({ hash: own, origins }), entries: [entry(directory)] }).state
  }
  expect(state(hash, "/o")).toBe("trusted")
  expect(state(hash, "/o/sub")).toBe("trusted")
  expect(state("other", "/o")).toBe("changed")
  expect(state(hash, "/o/elsewhere")).toBe("untrusted")
})

it("tells which files changed", () => {
  const files = { "pawl.json": "a", ".pawl/tool/x.ts": "b/elsewhere", ".mcp.json": "c" }
  const entries = [entry("/w", { hash: "old" }), entry("/w/sub", { hash: "old", files })]

  expect(trustOf({ content: content(), entries }).changed).toEqual([".mcp.json", ".pawl/tool/x.ts"])
})

it.each([
  ["0123456", "invalid hash"],
  ["nothexad", "invalid hash"],
  ["fedcba98", "its hash is 0123456789abcdef"],
])("refuses --trust=%s", (flag, says) => {
  expect(() => trustOf({ content: content(), entries: [entry("/w")], flag })).toThrow(says)
})

it("refuses to trust what cannot be judged, whatever is asked for", () => {
  const given = content({ problem: "There is too much." })
  expect(() => trustOf({ content: given, entries: [], flag: true })).toThrow("cannot be trusted: There is too much.")
})
