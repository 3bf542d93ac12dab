import type { ContextReport } from "@pawl/core"
import { describe, expect, it } from "vitest"
import { sessionOf } from "../test/parts.ts"
import { contextLines } from "./context-lines.ts"
import { createTheme } from "./theme.ts"
import { columnsOf } from "./width.ts"

const report: ContextReport = {
  ...{ sessionID: "ses_1", agent: "build", model: { providerID: "local", modelID: "big" } },
  ...{ tokens: 16_000, margin: 400, media: 0, auto: true, prune: true, tools: 7 },
  shares: { system: 1000, instructions: 2000, tools: 3000, summary: 0, tail: 4000, new: 6000 },
  limits: { window: 100_000, usable: 80_000, soft: 60_000, hard: 80_000 },
  calibration: { bytesPerToken: 3.51, error: 0.043, samples: 12 },
  instructions: [],
  ...{ pins: [], compactions: [], prunable: { outputs: 0, tokens: 0 }, cache: { requests: 0, busts: [] } },
}

const shown = (changes: Partial<ContextReport> = {}, columns = 100) => {
  const layout = { columns, theme: createTheme(false), now: 3_600_000, home: "/home/ann" }
  return contextLines(sessionOf(), { ...report, ...changes }, layout)
}

describe("what fills the window", () => {
  it("is a bar, its legend and the facts", () => {
    const lines = shown()
    const [title, about, gap, bar = "", legend] = lines
    expect([title, about, gap]).toEqual(["A title", "ses_1 · agent build · local/big", ""])
    expect(bar).toMatch(/^█▓+▒+▚+▞+·+$/)
    expect(columnsOf(bar)).toBe(100)
    expect(legend).toContain("▓ instructions 2.0k")
    expect(lines.slice(-5)).toEqual([
      "",
      "next request  16.0k tokens, at most 16.4k of 80.0k usable (20 %); window 100k",
      "when full     a summary is prepared from 60.0k tokens on, older messages are replaced at 80.0k",
      "estimate      3.5 bytes a token, learned from 12 answers; off by 4 % on average",
      "tools         7 offered",
    ])
  })

  it("comes with what else is there: files, outputs, compactions, notes, images", () => {
    const text = shown({
      media: 2000,
      instructions: [{ path: "/home/ann/code/AGENTS.md", tokens: 2000 }],
      prunable: { outputs: 3, tokens: 12_000 },
      prune: false,
      compactions: [
        {
          ...{ id: "msg_1", time: 0, auto: true, calls: 1, status: "applied", strategy: "extract" },
          reason: "It\u001B[2J broke.",
        },
        { id: "msg_2", time: 3_600_000, auto: false, calls: 0, status: "pending" },
      ],
      pins: [{ id: "pin_1", text: "Never touch main.", time: { created: 0 } }],
    }).join("\n")

    expect(text).toContain("images        2.0k tokens of images and documents, counted above")
    expect(text).toContain("instructions   2.0k  ~/code/AGENTS.md")
    expect(text).toContain(
      "clearable     3 old outputs of tools, 12.0k tokens; not done by itself (compaction.prune is off)",
    )
    expect(text).toContain("compactions   1 h ago · by itself · extract · 1 call · It broke.\n")
    expect(text).toContain("\n              now · asked for · not made yet\n")
    expect(text).toMatch(/^pinned {8}Never touch main\.$/m)
  })

  it("names what broke the provider's cache, and nothing where there was one request only", () => {
    const bust = { time: 0, reason: "system", firstChangedBlock: "system[1]", owner: "plugin \u001B[2Jclock" }
    const text = shown({ cache: { requests: 12, busts: [bust] } }).join("\n")
    expect(text).toContain("cache         11 of 12 requests began like the one before")
    expect(text).toContain("\n              1 h ago · system[1] · plugin clock · system")
    expect(shown({ cache: { requests: 3, busts: [] } }).join("\n")).toContain(
      "all 3 requests began like the one before",
    )
    expect(shown({ cache: { requests: 1, busts: [] } }).join("\n")).not.toContain("cache")
  })

  it("tells of switches, unknown limits and a model that has not answered", () => {
    expect(shown({ auto: false }).join("\n")).toContain("compaction.auto is off")
    const { limits: _limits, ...unlimited } = report
    const layout = { columns: 100, theme: createTheme(false), now: 0, home: undefined }
    const calibration = { bytesPerToken: 4, error: 0.25, samples: 0 }
    const told = { ...unlimited, calibration, modelProblem: 'Provider "x" is not known.' }
    const text = contextLines(sessionOf(), told, layout).join("\n")
    expect(text).toContain('The model cannot be used, so its window is not known here: Provider "x" is not known.')
    expect(text).toContain("the model's limit is not known")
    expect(text).toContain("the model has not answered in this session yet")
  })

  it("counts reports of usage that were ignored", () => {
    const calibration = { bytesPerToken: 4, error: 0.25, samples: 0, ignored: 3 }
    expect(shown({ calibration }).join(" ")).toContain("as is usual; 3 reports ignored that cannot be true")
    expect(shown({ calibration: { ...calibration, samples: 2 } }).join(" ")).toContain("; 3 reports ignored")
  })

  it.each([40, 60, 80])("keeps to %i columns", (columns) => {
    const pins = [{ id: "pin_1", text: "Never touch main, ".repeat(9), time: { created: 0 } }]
    for (const line of shown({ pins }, columns)) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
  })
})
