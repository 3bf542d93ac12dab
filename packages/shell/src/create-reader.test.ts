import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"

const SCRIPT = `
import { registerHooks } from "node:module"
const seen = []
registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context) } })
const { createShellReader } = await import(process.argv[1])
const before = seen.includes("unbash")
const reader = await createShellReader()
console.log(JSON.stringify({ before, after: seen.includes("unbash"), texts: reader.read("a && b").commands.map((one) => one.text) }))
`

it("loads the grammar when a reader is made, not before", () => {
  const args = ["--input-type=module", "-e", SCRIPT, new URL("index.ts", import.meta.url).href]
  const output = execFileSync(process.execPath, args, { encoding: "utf8" })
  expect(JSON.parse(output)).toEqual({ before: false, after: true, texts: ["a", "b"] })
})
