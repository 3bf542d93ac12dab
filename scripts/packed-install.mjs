// Checks the file list of every package, then installs the packed CLI into an empty folder with npm, as a user does, and runs it
// there.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const scripts = dirname(fileURLToPath(import.meta.url))
const cli = join(scripts, "..", "apps", "cli")
const modules = join(cli, "../../node_modules")
const folder = mkdtempSync(join(tmpdir(), "pawl-packed-"))
const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  PAWL_DATA_DIR: join(folder, "data"),
  PAWL_CONFIG_DIR: join(folder, "config"),
}
/** An image that has to be drawn smaller for any provider. */
const DRAWING = `
  const image = { width: 9000, height: 90, channels: 3, background: "red" }
  require("sharp")({ create: image }).png().toFile("wide.png")
`
const OWN = `import { definePlugin, tool, z } from "@pawl/plugin"
enum Factor { Two = 2 }
export default definePlugin(() => ({
  tool: {
    own: tool({ description: "Doubles", args: { n: z.number() }, execute: ({ n }) => "own says " + Factor.Two * n }),
  },
}))
`
const FOREIGN = `import { tool } from "@opencode-ai/plugin"
export const Foreign = async ({ $, client }) => ({
  tool: {
    foreign: tool({
      description: "Doubles",
      args: { n: tool.schema.number() },
      async execute({ n }, { sessionID }) {
        const { data } = await client.session.get({ path: { id: sessionID } })
        return "foreign says " + 2 * n + (data.id === sessionID ? await $\`echo " echoed"\`.text() : "")
      },
    }),
  },
})
`
const LATER = `import { definePlugin, tool } from "@pawl/plugin"
export default definePlugin(() => ({ tool: { later: tool({ description: "Says", args: {}, execute: () => "WORD" }) } }))
`
const run = (command, args, cwd = folder) =>
  execFileSync(command, args, { cwd, env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })

try {
  const { status: listed } = spawnSync(process.execPath, [join(scripts, "packed-files.mjs")], { stdio: "inherit" })
  if (listed !== 0) throw new Error("A package would publish files that do not belong to it.")
  run("npx", ["-y", "pnpm@12", "pack", "--pack-destination", folder], cli)
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))
  writeFileSync(join(folder, "package.json"), `{ "name": "packed", "private": true }\n`)
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", `./${tarball}`])

  const pawl = join(folder, "node_modules", ".bin", "pawl")
  expect("pawl --version", run(pawl, ["--version"]), /^\d+\.\d+\.\d+/)
  writeFileSync(
    join(folder, "hello.jsonl"),
    `{"reply": [{"tool": "list", "input": {}}]}\n{"text": "Hello from the script."}\n`,
  )
  expect("a replayed run", run(pawl, ["run", "Say hello", "--script", "hello.jsonl"]), /Hello from the script\./)
  expect("its session", run(pawl, ["session", "list"]), /Say hello/)

  mkdirSync(join(folder, ".pawl", "plugin"), { recursive: true })
  mkdirSync(join(folder, ".opencode", "plugin"), { recursive: true })
  writeFileSync(join(folder, ".pawl", "plugin", "own.ts"), OWN)
  writeFileSync(join(folder, ".opencode", "plugin", "foreign.ts"), FOREIGN)
  writeFileSync(
    join(folder, "tools.jsonl"),
    `{"reply": [{"tool": "own", "input": {"n": 2}}, {"tool": "foreign", "input": {"n": 3}}]}\n{"text": "Done."}\n`,
  )
  run(pawl, ["run", "Call them", "--trust", "--script", "tools.jsonl"])
  const called = run(pawl, ["session", "show", "--format", "json"])
  expect("a plugin in TypeScript", called, /own says 4/)
  expect("a plugin for OpenCode", called, /foreign says 6 echoed/)
  const doctor = ["plugin", "doctor"]
  run(pawl, ["trust", "--yes"])
  expect("plugin doctor", run(pawl, doctor), /foreign\.ts[^]*own\.ts/)
  // A tool that is loaded twice is compiled the second time.
  writeFileSync(
    join(folder, "watch.jsonl"),
    `{"reply": [{"tool": "bash", "input": {"command": "node edit.cjs"}}]}\n{"reply": [{"tool": "later", "input": {}}]}\n{"text": "Done."}\n`,
  )
  mkdirSync(join(folder, "config", "plugin"), { recursive: true })
  const later = join(folder, "config", "plugin", "later.ts")
  writeFileSync(later, LATER.replace("WORD", "old"))
  // Watching begins when a run has lasted for a while.
  writeFileSync(
    join(folder, "edit.cjs"),
    `setTimeout(() => require("node:fs").writeFileSync(${JSON.stringify(later)}, ${JSON.stringify(LATER.replace("WORD", "new"))}), 4000); setTimeout(() => {}, 6000)`,
  )
  run(pawl, ["run", "Change it", "--script", "watch.jsonl"])
  expect("a plugin that changes", run(pawl, ["session", "show", "--format", "json"]), /"new"/)

  run(pawl, ["plugin", "new", "ticket"])
  const ticket = join(folder, "ticket")
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], ticket)
  expect("a new plugin's test", run("npm", ["test"], ticket), /pass 2\n.*fail 0/)
  writeFileSync(
    join(ticket, "types.ts"),
    `import plugin from "./src/index.ts"\nimport { testPlugin } from "@pawl/plugin/testing"\n` +
      `// @ts-expect-error: ids are texts.\nexport const id: number = (await testPlugin(plugin)).session.id\n`,
  )
  const language = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "esnext",
    "--allowImportingTsExtensions",
  ]
  const types = ["--types", "node", "--typeRoots", join(modules, "@types"), "types.ts"]
  run(process.execPath, [join(modules, "typescript/bin/tsc"), ...language, ...types], ticket)
  console.log("packed: a new plugin's types work")

  run(process.execPath, ["--eval", DRAWING])
  writeFileSync(join(folder, "look.jsonl"), `{"text": "A wide one."}\n`)
  const look = ["run", "Look at it", "-f", "wide.png", "--script", "look.jsonl"]
  run(pawl, look)
  expect(
    "drawing an image smaller",
    run(pawl, ["session", "show", "--format", "json"]),
    /^(?!.*"rejected").*wide\.png/s,
  )
  rmSync(join(folder, "node_modules", "sharp"), { recursive: true })
  const { status, stderr } = spawnSync(pawl, look, { cwd: folder, env: environment, encoding: "utf8" })
  expect("leaving it out without sharp", `${status} ${stderr}`, /^0 .*left out: sharp/s)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function expect(name, output, pattern) {
  if (!pattern.test(output)) throw new Error(`${name} printed something else:\n${output}`)
  console.log(`packed: ${name} works`)
}
