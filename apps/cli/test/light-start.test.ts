import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { describe, expect, inject, it } from "vitest"
import type { CommandRow } from "../src/arguments/command.ts"
import { commands } from "../src/command-table.ts"
import { type Workplace, workplace } from "./workplace.ts"

/** Writes down which files were loaded. */
const TELLING = `const { registerHooks } = process.getBuiltinModule("node:module")
const loaded = []
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
const vm = process.getBuiltinModule("node:vm")
vm.Script = class extends vm.Script { constructor(text, options) { super(text, options); loaded.push(options.filename) } }
const { writeFileSync } = process.getBuiltinModule("node:fs")
process.on("exit", () => writeFileSync(process.env.LOADED, loaded.join("\\n")))
`

interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >
}

/** The sources that went into a file of the bundle. */
const inputsOf: ReadonlyMap<string, readonly string[]> = (() => {
  const { outputs } = JSON.parse(readFileSync(join(inject("built"), "dist/metafile-esm.json"), "utf8")) as Metafile
  return new Map(
    Object.entries(outputs).map(([file, { inputs }]) => {
      return [
        basename(file),
        Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
      ]
    }),
  )
})()

/** A place where children tell what they load. */
async function tellingPlace(): Promise<Workplace & { readonly hook: string }> {
  const place = await workplace()
  const hook = join(place.data, "..", "telling.mjs")
  await writeFile(hook, TELLING)
  return { ...place, hook }
}

type TellingPlace = Awaited<ReturnType<typeof tellingPlace>>

/** The sources that a command has loaded. */
async function loadedBy(args: readonly string[], { data, hook, pawl }: TellingPlace): Promise<readonly string[]> {
  const list = join(data, "..", ["loaded", ...args].join("-").replaceAll("/", "-"))
  await pawl(args, { environment: { NODE_OPTIONS: `--import=${hook}`, LOADED: list } })
  const urls = readFileSync(list, "utf8").split("\n")
  return urls.flatMap((url) => inputsOf.get(basename(url)) ?? (url.startsWith("node:") ? [] : [url]))
}

const PLUGINS = /packages\/plugin-loader\/|\/jiti\/|\/chokidar\/|plugins\/opencode\/src\/adapter|\/hono\//
const VENDORS = /provider-(?:anthropic|openai|google)\/|@ai-sdk\/(?:anthropic|openai|google)\//
const MCP = /plugins\/mcp\/src\/(?:client|serve)|@modelcontextprotocol\//
const HEAVY = [PLUGINS, VENDORS, MCP]
const MODULE = /^src\/commands\//
const PARTS = /^src\/(?:run|storage)\/|packages\/(?:core\/|runtime\/src\/(?!host\.ts|logging\/log))/

/** Commands that are about an engine, plugins or servers, ask the network, or end only with a signal. */
const WORKING =
  /^(?:demo|serve|tui|session watch|session compact|replay|auth login|provider .*|plugin .*|questions answer|permissions replay|mcp (?!list).*)$/

/** Arguments with which a command comes far. Default: a word for each that it requires. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  run: ["-m", "replay/hello", "hi"],
  "session remove": ["--yes", "ses_1"],
  "session pin": ["--list"],
  "session import": ["none.json"],
  "storage copy": ["--to", "memory:"],
  "auth logout": ["openai"],
  "agent show": ["build"],
  "command show": ["review"],
  "permissions why": ["bash", "ls"],
  "mcp list": ["--offline"],
  trust: ["--list"],
  completion: ["bash"],
  help: ["run"],
}

async function argumentsOf({ name, load }: CommandRow): Promise<readonly string[]> {
  const { words } = (await load()).command
  return [...name.split(" "), ...(ARGUMENTS[name] ?? Array.from({ length: words.min }, () => "ses_1"))]
}

describe("a command loads nothing that it does not need", () => {
  it("is so for each that finds no plugin, no server and no session", async () => {
    const place = await tellingPlace()
    const left = commands.filter(({ name }) => !WORKING.test(name))
    expect(left.length).toBeGreaterThan(40)
    const wrong: string[] = []
    async function lookAtTheRest(): Promise<void> {
      for (let next = left.shift(); next; next = left.shift()) {
        const loaded = await loadedBy(await argumentsOf(next), place)
        if (loaded.length < 10) wrong.push(`${next.name} loaded next to nothing: was it run?`)
        const heavy = loaded.filter((path) => HEAVY.some((pattern) => pattern.test(path)))
        if (heavy.length > 0) wrong.push(`${next.name} loaded ${heavy.slice(0, 3).join(", ")}`)
      }
    }
    await Promise.all(Array.from({ length: 4 }, lookAtTheRest))

    expect(wrong).toEqual([])
  })

  it.each([[["--help"]], [["session", "--help"]], [[]]])(
    "prints the help of pawl %s without a command",
    async (args) => {
      const loaded = await loadedBy(args, await tellingPlace())

      expect(loaded.some((path) => path.endsWith("src/arguments/help.ts"))).toBe(true)
      expect(loaded.filter((path) => MODULE.test(path) || PARTS.test(path))).toEqual([])
      expect(loaded.length).toBeLessThan(80)
    },
  )

  it("prints the help of a command without another command", async () => {
    const loaded = await loadedBy(["session", "list", "--help"], await tellingPlace())

    expect(loaded.filter((path) => MODULE.test(path))).toEqual([expect.stringMatching(/commands\/session\/list\.ts$/)])
    expect(loaded.filter((path) => HEAVY.some((pattern) => pattern.test(path)))).toEqual([])
  })
})
