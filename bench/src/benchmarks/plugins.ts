import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { installPawl, type Pawl } from "../measure/pawl.ts"
import type { Scratch } from "../measure/scratch.ts"
import { interleaved, median } from "../measure/statistics.ts"
import { GREETING } from "../model/reply-to.ts"
import { milliseconds } from "../report/amount.ts"
import type { Goal, Row } from "../report/row.ts"
import type { Benchmark } from "./benchmark.ts"

/** As many as the largest published plugins have, mostly type declarations. */
const FILES = 4000

export const plugins: Benchmark = {
  name: "plugins",
  summary: "pawl run with a plugin of very many files, and with one in TypeScript",
  async run({ model, scratch, quick, smallest }) {
    const files = smallest ? 40 : FILES
    const pawls = {
      ...{ large: await withPackage(scratch, files), small: await withPackage(scratch, 1) },
      ...{ typescript: await withFile(scratch, "own.ts"), javascript: await withFile(scratch, "own.js") },
    }
    const run = async (pawl: Pawl) => {
      const { stdout, wall } = pawl.run(model.url, ["hi"])
      if (!stdout.includes(GREETING)) throw new Error(`pawl run answered something else: ${stdout}`)
      return wall
    }
    for (const pawl of Object.values(pawls)) {
      pawl.call(["trust", "--yes"])
      // The first run installs or compiles the plugin; the next ones fill the cache of compiled code.
      for (let warm = 0; warm < (smallest ? 1 : 3); warm++) await run(pawl)
    }
    const rounds = smallest ? 1 : quick ? 5 : 21
    const size = await interleaved(rounds, { large: () => run(pawls.large), small: () => run(pawls.small) })
    const language = await interleaved(rounds, {
      typescript: () => run(pawls.typescript),
      javascript: () => run(pawls.javascript),
    })
    await model.take()
    return [
      ratio(`pawl run, a plugin of ${files} files / of one`, [size.large, size.small], { atMost: 1.5 }),
      ratio("pawl run, a plugin in TypeScript / in JavaScript", [language.typescript, language.javascript], {
        atMost: 1.2,
      }),
    ]
  },
}

function ratio(what: string, [measured, floor]: readonly [readonly number[], readonly number[]], goal: Goal): Row {
  const [wall, least] = [median(measured), median(floor)]
  const from = `${milliseconds(wall)} and ${milliseconds(least)}`
  return { benchmark: "plugins", what, result: wall / least, unit: "×", goal, from, samples: { measured, floor } }
}

/** Creates a project with a plugin in a file of this name. */
async function withFile(scratch: Scratch, name: string): Promise<Pawl> {
  const pawl = await installPawl(scratch)
  const type = name.endsWith(".ts") ? ": unknown" : ""
  await mkdir(join(pawl.project, ".pawl/plugin"), { recursive: true })
  await writeFile(
    join(pawl.project, ".pawl/plugin", name),
    `import { definePlugin } from "@pawl/plugin"
export default definePlugin(() => ({ "chat.message": (_input${type}) => undefined }))
`,
  )
  return pawl
}

/**
 * Creates a project whose configuration names a plugin package with many files. A fake npm installs it without a
 * network.
 */
async function withPackage(scratch: Scratch, files: number): Promise<Pawl> {
  const pawl = await installPawl(scratch)
  const bin = await scratch.folder()
  await writeFile(join(bin, "npm"), `#!${process.execPath}\n${npm(files)}`)
  await chmod(join(bin, "npm"), 0o755)
  pawl.environment["PATH"] = `${bin}:${pawl.environment["PATH"] ?? ""}`
  await mkdir(join(pawl.project, ".pawl"))
  await writeFile(join(pawl.project, "pawl.jsonc"), '{ "plugin": ["measured"] }\n')
  return pawl
}

const npm = (files: number) => `
  const { mkdirSync, writeFileSync } = require("node:fs")
  const home = "node_modules/measured"
  mkdirSync(home + "/types", { recursive: true })
  writeFileSync(home + "/package.json", JSON.stringify({ name: "measured", version: "1.0.0", main: "index.mjs" }))
  writeFileSync(home + "/index.mjs", "export const Measured = async () => ({})\\n")
  for (let index = 1; index < ${files}; index++) {
    const directory = home + "/types/" + Math.floor(index / 20)
    mkdirSync(directory, { recursive: true })
    writeFileSync(directory + "/" + index + ".d.ts", "export declare const value: number\\n")
  }
  const packages = { "": { dependencies: { measured: "1.0.0" } }, [home]: { version: "1.0.0" } }
  writeFileSync("package-lock.json", JSON.stringify({ packages }))
`
