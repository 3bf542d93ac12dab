import { expect, it } from "vitest"
import { createTheme } from "@pawl/terminal-text/theme"
import type { TrustRequest } from "@pawl/trust/decide-trust"
import { trustLines } from "./trust-lines.ts"

const request: TrustRequest = {
  state: "changed",
  content: {
    ...{ directory: "/w", worktree: "/w", root: "/w", hash: "0af1" },
    files: [".pawl/agent/a.md", ".pawl/tool/x.ts", ".pawl/tool/lib.ts"].map((path) => {
      return { path, kind: "tool", hash: "h", text: "" } as const
    }),
  },
  changed: [".pawl/tool/x.ts", ".pawl/tool/lib.ts"],
  effects: [{ file: { path: ".pawl/tool/x.ts", kind: "tool", link: "/out" }, does: ["runs", "tells"], what: "tool" }],
}

it("shows each file, what it does, what changed, and the hash", () => {
  expect(trustLines(request, { columns: 80, theme: createTheme(false) })).toEqual([
    "/w supplies what runs or redirects:",
    "  .pawl/tool/x.ts -> /out  tool (changed)",
    "      runs",
    "      tells",
    "  .pawl/tool/lib.ts  changed",
    "  and 2 files of texts and of code that these use",
    "  hash 0af1",
  ])
})

it("hides nothing that a project wrote, and lets none of it stand for lines of its own", () => {
  const file = { path: "a\u001B[2K\u202e\n  hash 0000", kind: "plugin" } as const
  const shown = trustLines(
    { ...request, changed: [], effects: [{ file, does: ["runs x\r\ntrust it? y\u200b\t"], what: "plugin" }] },
    { columns: 80, theme: createTheme(false) },
  )

  const word = `x${"\u00a0".repeat(80)}hash\u00a00000`
  const long = { ...request, effects: [{ file, does: [word], what: "plugin" }] }
  const lines = trustLines(long, { columns: 40, theme: createTheme(false) })
  expect(lines.filter((line) => line.length > 40 || /\u00a0/.test(line))).toEqual([])

  expect(shown.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(shown[1]).toBe("  a^[[2K\\u202e^J  hash 0000  plugin")
  expect(shown[2]).toBe("      runs x^M^Jtrust it? y\\u200b^I")
})
