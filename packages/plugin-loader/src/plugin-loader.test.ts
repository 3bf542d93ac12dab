import { mkdir } from "node:fs/promises"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { type TestFiles, testFiles } from "../test/files.ts"
import { testRegistry } from "../test/registry.ts"
import type { PluginAdapter } from "./adapter.ts"
import { createModules } from "./modules/modules.ts"
import { createPluginLoader, type PluginLoaderOptions } from "./plugin-loader.ts"

/** A plugin of pawl's own, as `definePlugin` marks it. */
const plugin = (body = "return {}") =>
  `export default Object.assign(async (input) => { ${body} }, { [Symbol.for("pawl.plugin")]: 1 })\n`

/** Takes modules with a function `legacy`. */
const legacy: PluginAdapter = {
  accepts: (exports) => typeof exports["legacy"] === "function",
  adapt(exports, { id, name }) {
    if (exports["broken"] === true) throw new Error("Its id is missing.")
    return [{ id: `legacy:${name ?? id}`, plugin: () => ({}) }]
  },
}

function loaderIn(files: TestFiles, options: Partial<PluginLoaderOptions> = {}) {
  const modules = createModules()
  onTestFinished(() => modules.close())
  const loader = createPluginLoader({
    cache: files.path("cache"),
    modules,
    adapters: [legacy],
    deadline: 60_000,
    env: { PATH: "/nowhere" },
    ...options,
  })
  const load = (
    specs: readonly (string | [string, Record<string, unknown>])[],
    more: { directories?: string[]; retry?: boolean } = {},
  ) =>
    loader.load({
      specs: specs.map((each) => {
        const [spec, options] = typeof each === "string" ? [each] : each
        return { spec, ...(options ? { options } : {}), source: { directory: files.root } }
      }),
      ...more,
    })
  return { loader, load }
}

describe("plugins", () => {
  it("of npm are not looked at again where the caller has just done so", async () => {
    const files = await testFiles()
    const manifest = { name: "acme", version: "1.0.0", type: "module", main: "index.js" }
    const registry = await testRegistry({ manifest, files: { "index.js": plugin() } })
    const { loader } = loaderIn(files, { env: registry.env })
    const specs = [{ spec: "acme", source: { directory: files.root } }]
    const found = await loader.packages.get("acme")
    // Whoever looked again would see the difference.
    await files.write({ [relative(files.root, join(found.directory, "added.js"))]: "" })

    const { entries, problems } = await loader.load({ specs, installed: new Map([["acme", found]]) })

    expect(problems).toEqual([])
    expect(entries.map(({ id }) => id)).toEqual(["acme"])
    await expect(loader.packages.get("acme")).rejects.toThrow("acme is not as it was installed")
  })

  it("are loaded in the order of the configuration, then of what is found, each once with its last options", async () => {
    const files = await testFiles({
      "a.ts": plugin("return input.options as object"),
      ...{
        "b/package.json": '{ "name": "b-plugin", "version": "2.1.0", "main": "./main.ts" }',
        "b/main.ts": "export const legacy = () => 1",
      },
      ...{ ".pawl/plugin/y.ts": plugin(), ".pawl/plugins/x.js": plugin() },
    })
    const { load } = loaderIn(files)

    const url = pathToFileURL(files.path("a.ts")).href
    const { entries, problems, places } = await load([["./a.ts", { n: 1 }], "./b", [url, { n: 2 }]], {
      directories: [files.path(".pawl")],
    })

    expect(problems).toEqual([])
    expect(entries.map(({ id }) => id.replace(`${files.root}/`, ""))).toEqual([
      ...["legacy:b-plugin", "a.ts", ".pawl/plugin/y.ts", ".pawl/plugins/x.js"],
    ])
    expect(entries[1]?.options).toEqual({ n: 2 })
    expect(places[0]).toMatchObject({
      kind: "file",
      name: "b-plugin",
      version: "2.1.0",
      entry: files.path("b/main.ts"),
    })
  })

  it("that are broken are told, each with its stage and place, and the others are there", async () => {
    const files = await testFiles({
      ...{ "good.ts": plugin(), "throws.ts": "const a = 1\nthrow new Error('boom')", "none.ts": "export default 1" },
      ...{ "odd.ts": "export const legacy = () => 1\nexport const broken = true" },
    })
    const { load } = loaderIn(files)

    const { entries, problems } = await load([
      "./throws.ts",
      "./missing.ts",
      "./good.ts",
      "--x",
      "./none.ts",
      "./odd.ts",
      "acme",
    ])

    expect(entries).toHaveLength(1)
    expect(problems).toEqual([
      {
        spec: "./throws.ts",
        stage: "import",
        file: files.path("throws.ts"),
        line: 2,
        message: "It cannot be loaded: boom.",
      },
      { spec: "./missing.ts", stage: "resolve", message: expect.stringContaining("There is no ") as string },
      { spec: "--x", stage: "resolve", message: expect.stringContaining("is not a plugin") as string },
      {
        spec: "./none.ts",
        stage: "adapt",
        file: files.path("none.ts"),
        message: expect.stringContaining("It exports no plugin.") as string,
      },
      {
        spec: "./odd.ts",
        stage: "adapt",
        file: files.path("odd.ts"),
        message: expect.stringContaining("Its id is missing.") as string,
      },
      { spec: "acme", stage: "install", message: expect.stringContaining("There is no npm on PATH") as string },
    ])
  })

  it("from npm are installed, checked against what they demand, and loaded once", async () => {
    const registry = await testRegistry(
      {
        manifest: { name: "acme", version: "1.2.3", main: "src/plugin.ts" },
        files: { "src/plugin.ts": `enum A { B }\n${plugin()}` },
      },
      { manifest: { name: "next", version: "1.0.0", engines: { opencode: ">=2" } }, files: { "index.js": plugin() } },
    )
    const files = await testFiles()
    const { load } = loaderIn(files, { env: registry.env, engines: { opencode: "1.18.33" } })

    const { entries, problems, places } = await load(["acme@^1", "next"])

    expect(problems).toEqual([
      {
        spec: "next",
        stage: "resolve",
        message: expect.stringContaining("It needs opencode >=2; here is 1.18.33.") as string,
      },
    ])
    expect(entries.map(({ id }) => id)).toEqual(["acme"])
    expect(places[0]).toMatchObject({ kind: "npm", id: "acme", version: "1.2.3", installed: { spec: "acme@^1" } })
    expect((await load(["acme@^1"])).entries[0]).toBe(entries[0])
  })

  it("that could not be installed are tried again when that is asked for", async () => {
    const registry = await testRegistry()
    const files = await testFiles()
    const { load } = loaderIn(files, { env: registry.env })
    const { problems } = await load(["acme"])
    await registry.publish({
      manifest: { name: "acme", version: "1.0.0", type: "module" },
      files: { "index.js": plugin() },
    })

    expect((await load(["acme"])).problems).toEqual(problems)
    expect(await load(["acme"], { retry: true })).toMatchObject({ problems: [], entries: [{ id: "acme" }] })
  })
})

describe("loading again", () => {
  it("gives what has not changed as it is, and what has, or imports what has, anew", async () => {
    const files = await testFiles({
      ...{
        "a.ts": plugin(),
        "b.ts": `import { lib } from "./lib"\nexport const version = lib\n${plugin()}`,
        "lib.ts": "export const lib = 1",
      },
    })
    const { load } = loaderIn(files)
    const first = await load(["./a.ts", "./b.ts"])
    await files.write({ "lib.ts": "export const lib = 2" })
    const second = await load(["./a.ts", "./b.ts"])

    expect(first.files).toEqual(["a.ts", "b.ts", "lib.ts"].map((name) => files.path(name)))
    expect(second.entries[0]).toBe(first.entries[0])
    expect(second.entries[1]).not.toBe(first.entries[1])
    expect((await load(["./a.ts", "./b.ts"])).entries).toEqual(second.entries)
    expect((await load(["./b.ts"])).entries.map(({ id }) => id)).toEqual([files.path("b.ts")])
  })

  it("keeps the version before where the new one does not load, until one does", async () => {
    const files = await testFiles({ "a.ts": plugin() })
    const { load } = loaderIn(files)
    const { entries } = await load(["./a.ts"])
    await files.write({ "a.ts": "export default = 1" })
    const broken = await load(["./a.ts"])
    await files.write({ "a.ts": `// repaired\n${plugin()}` })
    const repaired = await load(["./a.ts"])

    expect(broken.entries[0]).toBe(entries[0])
    expect(broken.problems).toMatchObject([{ stage: "import", file: files.path("a.ts"), line: 1, kept: true }])
    expect(repaired.problems).toEqual([])
    expect(repaired.entries[0]).not.toBe(entries[0])
  })

  it("finds files that are new, and lets go of those that are gone", async () => {
    const files = await testFiles()
    const { load } = loaderIn(files)
    const directories = [files.path(".pawl")]
    const ids = async () => (await load([], { directories })).entries.map(({ id }) => id.slice(files.root.length + 1))

    expect(await ids()).toEqual([])
    await mkdir(files.path(".pawl"))
    await files.write({ ".pawl/plugin/a.ts": plugin() })
    expect(await ids()).toEqual([".pawl/plugin/a.ts"])
    await files.write({ ".pawl/plugin/0.ts": plugin() })
    expect(await ids()).toEqual([".pawl/plugin/0.ts", ".pawl/plugin/a.ts"])
  })
})
