import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { describe, expect, inject, it } from "vitest"
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
  const list = join(data, "..", args.join("-").replaceAll("/", "-"))
  await pawl(args, { environment: { NODE_OPTIONS: `--import=${hook}`, LOADED: list } })
  const urls = readFileSync(list, "utf8").split("\n")
  return urls.flatMap((url) => inputsOf.get(basename(url)) ?? (url.startsWith("node:") ? [] : [url]))
}

const ENGINE = /packages\/core\/src\/(?:engine|session\/(?:loop|processor|runs|tool-call))\.ts$/
const PLUGINS = /packages\/plugin-loader\/|\/jiti\/|\/chokidar\/|plugins\/opencode\/src\/adapter|\/hono\//
const VENDORS = /provider-(?:anthropic|openai|google)\/|@ai-sdk\/(?:anthropic|openai|google)\//
const MCP = /plugins\/mcp\/src\/(?:client|serve)|@modelcontextprotocol\//
const COMMANDS = /cli\/src\/(?:commands|run|storage)\/|packages\/runtime\/src\/(?!host\.ts)/
const everything = [ENGINE, PLUGINS, VENDORS, MCP]

/** What each command may not load where there is nothing for it: no plugin, no server, no session. */
const forbidden: Readonly<Record<string, { readonly args?: readonly string[]; readonly not: readonly RegExp[] }>> = {
  run: { args: ["-m", "replay/hello", "hi"], not: [PLUGINS, VENDORS, MCP] },
  "session list": { not: everything },
  "session show": { not: everything },
  "session children": { args: ["ses_1"], not: everything },
  "session export": { args: ["ses_1"], not: everything },
  "session rename": { args: ["ses_1", "x"], not: everything },
  "session archive": { args: ["ses_1"], not: everything },
  "session unarchive": { args: ["ses_1"], not: everything },
  "session fork": { args: ["ses_1"], not: everything },
  "session remove": { args: ["--yes", "ses_1"], not: everything },
  "session restore": { not: everything },
  "session pin": { args: ["--list"], not: everything },
  "session queue": { args: ["ses_1"], not: everything },
  "session context": { not: [PLUGINS, VENDORS, MCP] },
  "session import": { args: ["none.json"], not: everything },
  search: { args: ["word"], not: everything },
  stats: { not: everything },
  "storage stats": { not: everything },
  "storage verify": { not: everything },
  "storage rebuild": { not: everything },
  "storage gc": { not: everything },
  "storage backup": { args: ["x.db"], not: everything },
  "storage copy": { args: ["--to", "memory:"], not: everything },
  models: { not: everything },
  "auth list": { not: everything },
  "auth logout": { args: ["openai"], not: everything },
  "agent list": { not: everything },
  "agent show": { args: ["build"], not: everything },
  "agent create": { args: ["x"], not: everything },
  "command list": { not: everything },
  "command show": { args: ["review"], not: everything },
  "skill list": { not: everything },
  "skill show": { args: ["x"], not: everything },
  "permissions list": { not: everything },
  "permissions why": { args: ["bash", "ls"], not: everything },
  questions: { not: [PLUGINS, VENDORS, MCP] },
  "mcp list": { args: ["--offline"], not: everything },
  "config show": { not: everything },
  "config files": { not: everything },
  "config schema": { not: everything },
  trust: { args: ["--list"], not: everything },
  doctor: { not: everything },
  completion: { args: ["bash"], not: everything },
  help: { args: ["run"], not: everything },
}

/** Those that are about an engine, plugins or servers, or ask the network. */
const WORKING =
  /^(?:demo|session compact|replay|auth login|provider .*|plugin .*|questions answer|permissions replay|mcp .*)$/

describe("a command loads nothing that it does not need", () => {
  it("is told of every command", () => {
    const untold = commands.map(({ name }) => name).filter((name) => !forbidden[name] && !WORKING.test(name))

    expect(untold).toEqual([])
  })

  it("is so for each of them", async () => {
    const place = await tellingPlace()
    const left = Object.entries(forbidden)
    const wrong: string[] = []
    async function lookAtTheRest(): Promise<void> {
      for (let next = left.shift(); next; next = left.shift()) {
        const [name, { args = [], not }] = next
        const loaded = await loadedBy([...name.split(" "), ...args], place)
        if (loaded.length < 10) wrong.push(`${name} loaded next to nothing: was it run?`)
        const heavy = loaded.filter((path) => not.some((pattern) => pattern.test(path)))
        if (heavy.length > 0) wrong.push(`${name} loaded ${heavy.slice(0, 3).join(", ")}`)
      }
    }
    await Promise.all(Array.from({ length: 4 }, lookAtTheRest))

    expect(wrong).toEqual([])
  })

  it("prints a help text without any command's code", async () => {
    const loaded = await loadedBy(["session", "list", "--help"], await tellingPlace())

    expect(loaded.some((path) => path.endsWith("session-list.form.ts"))).toBe(true)
    const heavy = loaded.filter(
      (path) => !path.endsWith(".form.ts") && (COMMANDS.test(path) || path.includes("packages/core")),
    )
    expect(heavy).toEqual([])
    expect(loaded.length).toBeLessThan(80)
  })
})
