import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it, onTestFinished } from "vitest"
import { testFiles } from "../test/files.ts"
import type { PluginAdapter } from "./adapter.ts"
import { createModules } from "./modules/modules.ts"
import { createPluginLoader } from "./plugin-loader.ts"

/** Packages of other people's, from whatever registry npm is set up for here. */
const SPECS = [
  "opencode-beads@0.3.2",
  "opencode-prompt-recorder@1.9.9",
  "@sureshsankaran/opencode-destructive-check@1.0.5",
]

const unreachable = await promisify(execFile)("npm", ["view", SPECS[0] ?? "", "version", "--fetch-retries=0"], {
  timeout: 100_000,
}).then(
  () => undefined,
  (error: Error) => error.message.split("\n").at(-1),
)
/** Takes whatever exports a function, and shows the names. */
const anyFunction: PluginAdapter = {
  accepts: (exports) => Object.values(exports).some((value) => typeof value === "function"),
  adapt: (exports, { id }) => [{ id: `${id}: ${Object.keys(exports).join()}`, plugin: () => ({}) }],
}

describe("published plugins", () => {
  it("are installed, load without a build, and load again without a network", async ({ skip }) => {
    skip(unreachable !== undefined, `The registry cannot be reached: ${unreachable}`)
    const files = await testFiles({
      "plugin.js":
        "export const tool = Object.assign((definition) => definition, { schema: new Proxy({}, { get: () => () => chain }) })\nconst chain = new Proxy(() => chain, { get: () => () => chain })",
    })
    const alias = pathToFileURL(files.path("plugin.js")).href
    const loaderWith = (env: NodeJS.ProcessEnv) => {
      const modules = createModules({ aliases: { "@opencode-ai/plugin": alias, "@opencode-ai/plugin/tool": alias } })
      onTestFinished(() => modules.close())
      const provided = ["@opencode-ai/plugin"]
      return createPluginLoader({
        cache: files.path("cache"),
        modules,
        adapters: [anyFunction],
        provided,
        env,
        engines: { opencode: "1.18.33" },
      })
    }
    const specs = SPECS.map((spec) => ({ spec, source: { directory: files.root } }))

    const { entries, problems, places } = await loaderWith(process.env).load({ specs })

    expect(problems).toEqual([])
    expect(places.map(({ name, version }) => `${name}@${version}`)).toEqual(SPECS)
    expect(entries[0]?.id).toMatch(/^opencode-beads: .*BeadsPlugin/)
    for (const { installed } of places) expect(installed?.integrity).toMatch(/^sha512-/)
    expect(await readFile(join(places[0]?.root ?? "", "package.json"), "utf8")).toContain('"src/plugin.ts"')

    const offline = await loaderWith({ PATH: "/nowhere" }).load({ specs })
    expect(offline.problems).toEqual([])
    expect(offline.entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id))
  })
})
