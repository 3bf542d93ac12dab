import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { createChunks, type Chunks } from "./load-chunks.ts"

type Compiled = Parameters<typeof createChunks>[1]

const NONE: Compiled = () => undefined

/** Chunks of these texts, each the body of a function. */
async function chunksOf(texts: Readonly<Record<string, string>>) {
  const directory = await mkdtemp(join(tmpdir(), "pawl-chunks-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const write = (name: string, text: string) =>
    writeFile(join(directory, name), `(function (exports, require, module, load, importMeta) {${text}\n})`)
  for (const [name, text] of Object.entries(texts)) await write(name, text)
  const meta = { ...import.meta, url: pathToFileURL(join(directory, "main.js")).href }
  return { write, open: (compiled = NONE): Chunks => createChunks(meta, compiled) }
}

function compiledBy(chunks: Chunks): Compiled {
  return (name) => chunks.scripts.get(name)?.createCachedData()
}

it("gives a chunk the chunks, the packages and the address that it asks for", async () => {
  const { open } = await chunksOf({
    "start.cjs": `exports.url = importMeta.url; exports.sum = require("./more.cjs").sum; exports.path = require("node:path").sep`,
    "more.cjs": `module.exports = { sum: 1 + 1 }`,
  })

  expect(open().load("./start.cjs")).toEqual({ url: expect.stringMatching(/main\.js$/), sum: 2, path: "/" })
})

it("evaluates a chunk once, and only when somebody asks for it", async () => {
  const { open } = await chunksOf({
    "start.cjs": `exports.later = () => load("./later.cjs"); exports.one = 1`,
    "later.cjs": `exports.made = {}`,
  })
  const chunks = open()
  const { later } = chunks.load("./start.cjs") as { later: () => Promise<{ made: object }> }

  expect([...chunks.scripts.keys()]).toEqual(["./start.cjs"])
  expect((await later()).made).toBe((await later()).made)
  expect([...chunks.scripts.keys()]).toEqual(["./start.cjs", "./later.cjs"])
})

it("imports what is no chunk as Node does", async () => {
  const { open } = await chunksOf({ "start.cjs": `exports.from = (name) => load(name)` })
  const { from } = open().load("./start.cjs") as { from: (name: string) => Promise<Record<string, unknown>> }
  const module = `data:text/javascript,${encodeURIComponent("export default import.meta.url.slice(0, 5)")}`

  expect((await from(module))["default"]).toBe("data:")
  await expect(from("./missing.cjs")).rejects.toThrow("ENOENT")
})

it("lets chunks ask for each other in a circle", async () => {
  const { open } = await chunksOf({
    "start.cjs": `exports.name = () => "start"; exports.both = require("./other.cjs").both`,
    "other.cjs": `const start = require("./start.cjs"); exports.both = () => start.name() + " and other"`,
  })

  expect((open().load("./start.cjs") as { both: () => string }).both()).toBe("start and other")
})

it("evaluates a chunk again that failed", async () => {
  const { open } = await chunksOf({
    "start.cjs": `if (!globalThis.pawlTestIsReady) throw new Error("not yet"); exports.one = 1`,
  })
  const chunks = open()
  onTestFinished(() => void Reflect.deleteProperty(globalThis, "pawlTestIsReady"))

  expect(() => chunks.load("./start.cjs")).toThrow("not yet")
  Object.assign(globalThis, { pawlTestIsReady: true })
  expect(chunks.load("./start.cjs")).toEqual({ one: 1 })
})

it("takes compiled code for a chunk of the same text, and for no other", async () => {
  const { open, write } = await chunksOf({ "start.cjs": `exports.word = "yes"` })
  const first = open()
  first.load("./start.cjs")
  const again = open(compiledBy(first))
  again.load("./start.cjs")
  await write("start.cjs", `exports.word = "another"`)
  const changed = open(compiledBy(first))

  expect([...first.uncached, ...again.uncached]).toEqual(["./start.cjs"])
  expect(changed.load("./start.cjs")).toEqual({ word: "another" })
  expect([...changed.uncached]).toEqual(["./start.cjs"])
})
