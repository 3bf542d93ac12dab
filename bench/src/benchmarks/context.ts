import { retentionRows } from "../context/rows.ts"
import { playAll, type Scenario } from "../context/play-all.ts"
import type { Row } from "../report/row.ts"
import type { Benchmark, Setting } from "./benchmark.ts"

export const retention: Benchmark = {
  name: "context",
  summary: "what a request still tells after compactions, against the original's algorithm and plain truncation",
  async run(setting) {
    const rows: Row[] = []
    const scenarios = scenariosOf(setting)
    for (const scenario of scenarios) {
      const label = scenarios.length > 1 ? `${scenario.window / 1000}k, ` : ""
      rows.push(...retentionRows(await playAll(scenario), label))
    }
    return rows
  },
}

function scenariosOf({ quick, full, smallest }: Pick<Setting, "quick" | "full" | "smallest">): readonly Scenario[] {
  if (smallest) return [{ window: 16_000, fills: 13, seeds: 2, withPrune: true }]
  const usual = { window: 64_000, fills: 12, withPrune: false }
  if (quick) return [{ ...usual, seeds: 1 }]
  if (!full) return [{ ...usual, seeds: 4 }]
  return [
    { window: 32_000, fills: 12, seeds: 12, withPrune: true },
    { window: 64_000, fills: 12, seeds: 12, withPrune: true },
    // Larger windows need fewer compactions.
    { window: 200_000, fills: 20, seeds: 2, withPrune: true },
  ]
}
