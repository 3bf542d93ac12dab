import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8")
}

function functionIn(path: string, name: string): string {
  const source = read(path)
  const start = source.indexOf(`export async function ${name}(`)
  return source.slice(start, source.indexOf("\n}\n", start) + 2)
}

it.each([
  ["../src/run/loop.ts", "runLoop"],
  ["../src/run/step/step.ts", "takeStep"],
])("docs/architecture.md prints %s: %s as it is", (path, name) => {
  const printed = functionIn(path, name)
  expect(printed).toMatch(/^export async function/)
  expect(read("../../../docs/architecture.md")).toContain(`\`\`\`ts\n${printed}\n\`\`\``)
})
