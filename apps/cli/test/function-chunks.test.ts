import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, inject, it } from "vitest"
import { functionChunks } from "../build/function-chunks.ts"

type Render = NonNullable<typeof functionChunks.renderChunk>

/** Evaluates a module as a chunk. `loaded`: what was imported, in order. */
async function evaluated(text: string) {
  // The plugin looks at nothing but the text.
  const rendered = await (functionChunks.renderChunk as (text: string) => ReturnType<Render>)(text)
  const code = rendered && typeof rendered === "object" ? rendered.code : ""
  const loaded: string[] = []
  const module = { exports: {} as Record<string, unknown> }
  const load = async (name: string) => void loaded.push(name)
  const require = (name: string) => ({ name })
  // oxlint-disable-next-line no-eval -- that is what becomes of it
  ;(0, eval)(code)(module.exports, require, module, load, { url: "file:///dist/main.js" })
  return { code, exports: module.exports, loaded }
}

it("makes a function of a module, with its exports, its imports and its address", async () => {
  const { exports } = await evaluated(`
    import { name } from "./chunk-ABCDEFGH.cjs"
    export let count = 1
    export const raise = () => ++count
    export const from = name
    export const address = new URL("./demo", import.meta.url).href
  `)

  expect(exports["from"]).toBe("./chunk-ABCDEFGH.cjs")
  expect(exports["address"]).toBe("file:///dist/demo")
  ;(exports["raise"] as () => void)()
  expect(exports["count"]).toBe(2)
})

it("leaves every import of a running program to the loader", async () => {
  const { code, exports, loaded } = await evaluated(`
    export async function run(name, { later }) {
      await import("./chunk-ABCDEFGH.cjs")
      const [{ x }] = await Promise.all([import("sharp").then(() => ({ x: 1 })), import(name + "?" + (1 + 2))])
      return x + String(await import(later ? "a" : \`b\${"c"}\`))
    }
  `)
  const run = exports["run"] as (name: string, options: { later: boolean }) => Promise<string>

  expect(await run("file:///plugin.ts", { later: false })).toBe("1undefined")
  expect(loaded).toEqual(["./chunk-ABCDEFGH.cjs", "sharp", "file:///plugin.ts?3", "bc"])
  expect(code).not.toContain("import(")
})

it("leaves alone what only reads like an import", async () => {
  const { exports } = await evaluated(`
    export const text = 'import("./chunk-ABCDEFGH.cjs")'
    export const call = { import: (name) => "called " + name }.import("x")
  `)

  expect(exports).toMatchObject({ text: 'import("./chunk-ABCDEFGH.cjs")', call: "called x" })
})

it("means the same, whatever the text is made of", async () => {
  const { exports } = await evaluated(
    'export const text = "Ü→🦀", pattern = /^[。“🦀]+$/u, made = `é${1}`, raw = String.raw`\\é🦀`, ünï = 1',
  )

  expect(exports).toMatchObject({ text: "Ü→🦀", made: "é1", raw: "\\é🦀", ünï: 1 })
  expect((exports["pattern"] as RegExp).test("。“🦀")).toBe(true)
})

it("escapes strings, so that V8 holds a text in one byte a character", async () => {
  const { code } = await evaluated(`export const text = "Ü→🦀"`)

  expect(Buffer.byteLength(code)).toBe(code.length)
})

// Patterns are left as they are written: `\u2026` in theirs does it.
it("leaves no file of the bundle that needs two bytes a character, but for the one that is about such characters", () => {
  const dist = join(inject("built"), "dist")
  const chunks = readdirSync(dist).filter((name) => name.endsWith(".cjs"))
  const wide = chunks.filter((name) => /[\u0100-\uffff]/.test(readFileSync(join(dist, name), "utf8")))
  expect(chunks.length).toBeGreaterThan(100)
  expect(wide.filter((name) => !/、。/.test(readFileSync(join(dist, name), "utf8")))).toEqual([])
})
