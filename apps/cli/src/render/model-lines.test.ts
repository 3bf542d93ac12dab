import type { ModelInfo } from "@pawl/core/provider"
import { expect, it } from "vitest"
import type { KnownModel } from "@pawl/provider-registry/known-models"
import { modelTable } from "./model-lines.ts"
import { createTheme } from "@pawl/terminal-text/theme"
import { columnsOf } from "@pawl/terminal-text/width"

const info: ModelInfo = {
  ...{ id: "small", name: "Small", limit: { context: 1_050_000, output: 64_000 } },
  cost: { input: 0.25, output: 2, cacheRead: 0, cacheWrite: 0 },
  capabilities: { reasoning: true, attachment: true, toolCall: false },
}
const models: readonly KnownModel[] = [
  { ref: "acme/small", source: "catalogue", info },
  { ref: "acme/unknown-model-with-a-long-name", source: "ACME_API_KEY · all: pawl models acme" },
]

const table = (columns: number) => modelTable(models, { columns, theme: createTheme(false) })

it("shows what there is room for, and names whole", () => {
  expect(table(120)).toEqual([
    "acme/small                           1.05M/64k  $0.25/2  reasons files no-tools  catalogue",
    "acme/unknown-model-with-a-long-name                                              ACME_API_KEY · all: pawl models acme",
  ])
  expect(table(72)).toEqual([
    "acme/small                           1.05M/64k  catalogue",
    "acme/unknown-model-with-a-long-name             ACME_API_KEY · all: paw…",
  ])
})

it.each([40, 60, 72, 80, 100, 200])("fits into %i columns", (columns) => {
  for (const line of table(columns)) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
})
