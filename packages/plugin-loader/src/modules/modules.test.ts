import { execFile } from "node:child_process"
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it, onTestFinished } from "vitest"
import { testFiles } from "../../test/files.ts"
import type { ModuleNames } from "./resolution.ts"
import { createModules, type ImportOptions } from "./modules.ts"

function modules(names: Partial<ModuleNames> = {}) {
  const made = createModules(names)
  onTestFinished(() => made.close())
  const load = (file: string, options: ImportOptions = { deadline: 60_000 }) => made.import(file, options)
  /** What the file exports; rejects where it cannot be had. */
  const exports = async (file: string, root?: string): Promise<Record<string, unknown>> => {
    const imported = await load(file, { deadline: 60_000, ...(root === undefined ? {} : { root }) })
    if ("exports" in imported) return { ...imported.exports }
    throw new Error(JSON.stringify(imported.problem))
  }
  return { load, exports, filesOf: (file: string) => made.files(file) }
}

describe("a module", () => {
  it("may be TypeScript that needs more than its types taken out", async () => {
    const files = await testFiles({
      "a.ts": `
        enum Colour { Red = 1, Blue }
        namespace Sizes { export const large = 3 }
        class Point { constructor(private readonly x: number, public y = 2) {} sum(): number { return this.x + this.y } }
        export default [Colour.Blue, Sizes.large, new Point(1).sum()] satisfies number[]`,
    })

    expect(await modules().exports(files.path("a.ts"))).toEqual({ default: [2, 3, 3] })
  })

  it("may import texts, JSON, files without their suffix or with that of what they compile to, and directories", async () => {
    const files = await testFiles({
      "a.ts": `
        import text from "./prompt.txt"
        import notes from "./notes.md"
        import settings from "./settings.json"
        import same from "./settings.json" with { type: "json" }
        import { one } from "./one"
        import { two } from "./two.js"
        import { three } from "./three"
        export default [text, notes, settings.a, same.a, one, two, three]`,
      ...{
        "prompt.txt": "A `text` with ${x}\n",
        "notes.md": "# Notes",
        "settings.json": '{ "a": 1, "__proto__": {} }',
      },
      ...{ "one.ts": "export const one: number = 1", "two.ts": "export const two: number = 2" },
      "three/index.ts": "export const three: number = 3",
    })

    const expected = { default: ["A `text` with ${x}\n", "# Notes", 1, 1, 1, 2, 3] }
    const { exports } = modules()
    expect(await exports(files.path("a.ts"))).toEqual(expected)
    expect(await exports(files.path("a.ts"))).toEqual(expected)
  })

  it("finds in import.meta what Bun has there, when it is loaded first and anew, each line where it was", async () => {
    const asking = `#!/usr/bin/env bun
      const { dir, file, path, env } = import.meta
      const required = import.meta.require
      export default [dir, file, path, env === process.env, required("node:path").basename("a/b"), required("./old.cjs").old]
      export const line = () => new Error("here").stack.split("\\n")[1].match(/:(\\d+):/)[1]`
    const files = await testFiles({
      ...{ "node_modules/bundled/package.json": '{ "name": "bundled", "type": "module" }' },
      ...{ "node_modules/bundled/index.js": asking, "node_modules/bundled/old.cjs": "exports.old = 1" },
      ...{
        "local.ts": asking
          .replace(/^.*\n/, "type Path = string\n")
          .replace("const { dir,", "const { dir = import.meta.dir as Path,"),
        "old.cjs": "exports.old = 1",
      },
    })
    const { exports } = modules()

    const installed = await exports(files.path("node_modules/bundled/index.js"), files.root)
    const directory = files.path("node_modules/bundled")
    expect(installed["default"]).toEqual([directory, "index.js", join(directory, "index.js"), true, "b", 1])
    expect((installed["line"] as () => string)()).toBe("5")

    const first = await exports(files.path("local.ts"))
    expect(first["default"]).toEqual([files.root, "local.ts", files.path("local.ts"), true, "b", 1])
    expect((first["line"] as () => string)()).toBe("5")
  })

  it("finds each of them as well where it is run anew", async () => {
    const asking = `export default [import.meta.dir, import.meta.file, import.meta.path,
      import.meta.env === process.env, import.meta.require("./old.cjs").old]`
    const files = await testFiles({ "local.ts": asking, "old.cjs": "exports.old = 1" })
    const { exports } = modules()
    const expected = { default: [files.root, "local.ts", files.path("local.ts"), true, 1] }

    expect(await exports(files.path("local.ts"))).toEqual(expected)
    expect(await exports(files.path("local.ts"))).toEqual(expected)
  })

  it("may lie in node_modules as TypeScript, with what it depends on", async () => {
    const files = await testFiles({
      "node_modules/raw/package.json": '{ "name": "raw", "main": "src/plugin.ts" }',
      "node_modules/raw/src/plugin.ts": `
        import { helper } from "raw-helper/lib/helper"
        import { pluginName } from "@opencode-ai/plugin"
        export enum Kind { A }
        export default [helper(Kind.A), pluginName] as unknown[]`,
      "node_modules/raw-helper/package.json": '{ "name": "raw-helper" }',
      "node_modules/raw-helper/lib/helper.ts": "export const helper = (x: number): number => x + 1",
      "alias.js": "export const pluginName = 'alias'",
    })
    const alias = pathToFileURL(files.path("alias.js")).href
    const { exports } = modules({ aliases: { "@opencode-ai/plugin": alias } })

    const found = await exports(files.path("node_modules/raw/src/plugin.ts"), files.path("node_modules"))

    expect(found["default"]).toEqual([1, "alias"])
  })

  it("may import a type without saying so, as bundlers take it", async () => {
    const files = await testFiles({
      "a.ts": `
        import { Plugin, name } from "acme"
        import { Shape } from "./shape"
        export const plugin: Plugin = { name }
        export const shape: Shape = 1`,
      "shape.ts": "export type Shape = number",
      "node_modules/acme/package.json": '{ "name": "acme", "exports": "./index.js", "type": "module" }',
      "node_modules/acme/index.js": "export const name = 'acme'",
    })

    expect(await modules().exports(files.path("a.ts"))).toEqual({ plugin: { name: "acme" }, shape: 1 })
  })

  it("may be a link to a file elsewhere", async () => {
    const files = await testFiles({
      "lib/a.ts": 'import { b } from "./b"\nexport default b',
      "lib/b.ts": "export const b = 1",
    })
    await symlink(files.path("lib/a.ts"), files.path("link.ts"))
    const { exports, filesOf } = modules()

    expect(await exports(files.path("link.ts"))).toEqual({ default: 1 })
    expect(filesOf(files.path("link.ts"))).toEqual([files.path("lib/a.ts"), files.path("lib/b.ts")])
  })
})

describe("names of the caller's", () => {
  it("come before what is installed, or after, for these modules alone", async () => {
    const installed = (name: string) => ({
      [`node_modules/${name}/package.json`]: `{ "name": "${name}", "type": "module", "main": "index.js" }`,
      [`node_modules/${name}/index.js`]: "export default 'installed'",
    })
    const files = await testFiles({
      "a.js":
        'import a from "a-name"\nimport b from "b-name"\nimport c from "c-name"\nimport d from "bun:thing"\nexport default [a, b, c, d]',
      "other.js": 'export const found = import("c-name").then(() => true, () => false)',
      ...installed("a-name"),
      ...installed("b-name"),
      "alias.js": "export default 'given'",
    })
    const given = pathToFileURL(files.path("alias.js")).href
    const { exports } = modules({
      aliases: { "a-name": given, "bun:thing": given },
      fallbacks: { "b-name": given, "c-name": given },
    })

    const expected = { default: ["given", "installed", "given", "given"] }
    expect(await exports(files.path("a.js"))).toEqual(expected)
    expect(await exports(files.path("a.js"))).toEqual(expected)
    const other = (await import(pathToFileURL(files.path("other.js")).href)) as { found: Promise<boolean> }
    expect(await other.found).toBe(false)
  })
})

describe("a file that is imported again", () => {
  it("is run as it is now, with the local files it imports, and what is installed stays the same", async () => {
    const files = await testFiles({
      "a.ts":
        'import { b } from "./b"\nimport { identity } from "acme"\nexport const version: string = "a1" + b\nexport { identity }',
      "b.ts": 'export const b: string = "b1"',
      "node_modules/acme/package.json": '{ "name": "acme", "main": "index.js" }',
      "node_modules/acme/index.js": "exports.identity = {}",
    })
    const { exports } = modules()
    const first = await exports(files.path("a.ts"))
    await files.write({ "b.ts": 'export enum B { b }\nexport const b = "b2" + B.b' })
    const second = await exports(files.path("a.ts"))
    await files.write({ "b.ts": 'export { b } from "./c"', "c.ts": 'export const b = "c3"' })
    const third = await exports(files.path("a.ts"))

    expect([first, second, third].map(({ version }) => version)).toEqual(["a1b1", "a1b20", "a1c3"])
    expect(second["identity"]).toBe(first["identity"])
  })

  it("behaves as before: names that change later, circles, where it lies, await, late imports, require", async () => {
    const files = await testFiles({
      "a.ts": `
        import def, { count, increase } from "./state.js"
        import * as all from "./state.js"
        import { even } from "./even.ts"
        import { createRequire } from "node:module"
        export * from "./state.js"
        const late = await import("./late")
        increase()
        export default [def, count, all.count, even(4), late.late, import.meta.filename, new URL("x", import.meta.url).href,
          createRequire(import.meta.url)("./plain.cjs").plain]`,
      "state.js": "export let count = 0\nexport const increase = () => count++\nexport default 'state'",
      "even.ts":
        'import { odd } from "./odd.ts"\nexport function even(n: number): boolean { return n === 0 || odd(n - 1) }',
      "odd.ts":
        'import { even } from "./even.ts"\nexport function odd(n: number): boolean { return n !== 0 && even(n - 1) }',
      "late.ts": "export const late: string = 'late'",
      "plain.cjs": "module.exports = { plain: true }",
    })
    const { exports } = modules()

    const first = await exports(files.path("a.ts"))
    const second = await exports(files.path("a.ts"))

    const { root } = files
    expect(first["default"]).toEqual([
      "state",
      1,
      1,
      true,
      "late",
      join(root, "a.ts"),
      pathToFileURL(join(root, "x")).href,
      true,
    ])
    expect(Object.keys(second)).toEqual(Object.keys(first))
    expect(second["default"]).toEqual(first["default"])
  })

  it("is run anew also where another importer of the process had it first", async () => {
    const files = await testFiles({ "a.ts": "export default 1" })
    expect(await modules().exports(files.path("a.ts"))).toEqual({ default: 1 })
    await files.write({ "a.ts": "export default 2" })

    expect(await modules().exports(files.path("a.ts"))).toEqual({ default: 2 })
  })

  it("leaves nothing behind of its versions but the first, however often", async () => {
    setFlagsFromString("--expose-gc")
    const collect = runInNewContext("gc") as () => void
    const files = await testFiles({ "a.ts": "", "b.ts": "export const b = 1" })
    const { exports } = modules()
    const versions: WeakRef<object>[] = []
    for (let version = 0; version < 30; version++) {
      await files.write({ "a.ts": `import { b } from "./b"\nexport default async () => b + ${version}` })
      versions.push(new WeakRef((await exports(files.path("a.ts")))["default"] as object))
    }

    // What a microtask or the stack still holds is let go in time.
    const left = () => versions.slice(1, -1).filter((version) => version.deref() !== undefined)
    await expect.poll(() => (collect(), left())).toEqual([])
  })

  it("can be had after it could not", async () => {
    const files = await testFiles({ "a.ts": "export default = 1" })
    const { load } = modules()

    expect(await load(files.path("a.ts"), { deadline: 60_000 })).toHaveProperty("problem")
    await files.write({ "a.ts": "export default 1" })
    expect(await load(files.path("a.ts"), { deadline: 60_000 })).toEqual({ exports: { default: 1 } })
  })
})

describe("a file that cannot be had", () => {
  it.each([
    ["throws", "const a = 1\nthrow new Error('boom')", 2, "boom."],
    ["throws behind an enum", "enum A {\n  B,\n}\n\nthrow new Error('boom')", 5, "boom."],
    ["throws no error", "throw 'x'", undefined, 'it threw "x".'],
    [
      "needs a package",
      "const a = 1\nimport b from 'not-installed-anywhere'\nb()",
      2,
      "Install not-installed-anywhere beside the file",
    ],
    ["needs Bun", "import { $ } from 'bun'\n$()", 1, "It is written for Bun; pawl runs on Node."],
    ["is not TypeScript", "const a = 1\nconst b = ]", 2, "Expression expected."],
    [
      "imports what is not exported",
      "import { x } from './good'\nexport default x",
      1,
      "does not provide an export named 'x'",
    ],
    ["hangs", "await new Promise(() => {})", undefined, "It was not loaded within 0.3 seconds."],
  ])("because it %s is told with its place, the first time and later", async (how, text, line, message) => {
    const files = await testFiles({ "bad.ts": text, "good.ts": "export const good = 1" })
    const { load } = modules()
    // What does not hang may take long on a busy machine.
    const deadline = how === "hangs" ? 300 : 100_000
    const problem = {
      message: expect.stringContaining(message) as string,
      file: files.path("bad.ts"),
      ...(line === undefined ? {} : { line }),
    }

    expect(await load(files.path("bad.ts"), { deadline })).toEqual({ problem })
    expect(await load(files.path("bad.ts"), { deadline })).toEqual({ problem })
  })
})

it("says nothing on the screen", async () => {
  const files = await testFiles({ "a.ts": "enum A { B }\nexport default A.B", "package.json": "{}" })
  const script = `
    import { createModules } from ${JSON.stringify(new URL("./modules.ts", import.meta.url).href)}
    const modules = createModules()
    for (let i = 0; i < 2; i++) console.log(JSON.stringify(await modules.import(${JSON.stringify(files.path("a.ts"))}, { deadline: 60_000 })))`

  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script])

  expect(stdout).toBe('{"exports":{"default":0}}\n'.repeat(2))
  expect(stderr).toBe("")
})
