import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import { createModules, installedEntry } from "@pawl/plugin-loader"
import { call, finish, text, wait } from "@pawl/provider-replay"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { running, sentText } from "../test/running.ts"
import { moduleAliases } from "./module-aliases.ts"

const modules = createModules({ aliases: moduleAliases })
const { HOME, PATH, XDG_CONFIG_HOME, XDG_DATA_HOME } = process.env
const before = { HOME, PATH, XDG_CONFIG_HOME, XDG_DATA_HOME }
const { fetch } = globalThis
let home = ""

// Some of these plugins check for newer versions, and write files into the user's directories.
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "pawl-published-"))
  Object.assign(process.env, { HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_DATA_HOME: join(home, "data") })
  globalThis.fetch = () => Promise.reject(new Error("There is no network here."))
})
afterAll(async () => {
  modules.close()
  globalThis.fetch = fetch
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  await rm(home, { recursive: true, force: true })
})

/** Imports an installed published package with pawl's loader. */
async function published(name: string): Promise<object> {
  const directory = await packageDirectory(name)
  const { entry } = await installedEntry(directory)
  const root = resolve(directory, name.startsWith("@") ? "../.." : "..")
  const imported = await modules.import(entry, { deadline: 100_000, root })
  if ("problem" in imported) throw new Error(imported.problem.message)
  return imported.exports
}

async function packageDirectory(name: string): Promise<string> {
  for (const path of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const found = await realpath(join(path, name)).catch(() => undefined)
    if (found !== undefined) return found
  }
  throw new Error(`${name} is not installed.`)
}

describe("opencode-prompt-recorder", () => {
  it("writes what is asked and answered to a file", async () => {
    const recorder = await published("opencode-prompt-recorder")
    // Its file's name has a resolution of one second, and it writes the file at the next event.
    const replies = [[wait(300), text("A blue one."), finish("stop")]]
    await using scene = await running({ modules: { recorder }, replies })
    await scene.ask("Which colour?")
    const recorded = async () => {
      const entries = await readdir(join(scene.directory, ".prompts"), { recursive: true, withFileTypes: true }).catch(
        () => [],
      )
      const files = entries.filter((entry) => entry.isFile())
      return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")))).join("")
    }
    await expect.poll(recorded).toContain("A blue one.")
    const file = await recorded()
    expect(file).toContain(`SessionID: ${scene.sessionID}`)
    expect(file).toContain("Which colour?")
    expect(file).toContain("Model: replay/scripted")
  })
})

describe("@sureshsankaran/opencode-destructive-check", () => {
  it("offers its tool, and asks before a command that destroys", async () => {
    const check = await published("@sureshsankaran/opencode-destructive-check")
    const bash = {
      ...{ name: "bash", description: "Runs.", inputSchema: { type: "object" }, effect: "unsafe" as const },
      parse: (input: unknown) => input,
      permissions: (input: unknown) => [{ permission: "bash", patterns: [(input as { command: string }).command] }],
      execute: async () => ({ title: "", output: "it ran" }),
    }
    const replies = [
      [call("bash", { command: "git push --force" }), call("destructive-check-status", {}), finish("tool-calls")],
      [text("Done."), finish("stop")],
    ]
    const rules = [{ permission: "bash", pattern: "*", action: "ask" as const }]
    const asked: string[] = []
    await using scene = await running({
      ...{ modules: { check }, replies, tools: [bash], permission: [{ name: "test", rules }] },
      ask: async ({ patterns }) => {
        asked.push(...patterns)
        return "once"
      },
    })
    await scene.ask("Push")
    expect(scene.model.requests[0]?.tools.map(({ name }) => name)).toContain("destructive-check-status")
    expect(asked).toEqual(["git push --force"])
    const sent = sentText(scene.model)
    expect(sent).toContain("it ran")
    expect(sent).toMatch(/\\"permissionsRequested\\": 1/)
  })
})

describe("opencode-beads", () => {
  it("adds commands and an agent, and says once what beads knows", async () => {
    const beads = await published("opencode-beads")
    await using scene = await running({ modules: { beads } })
    const bin = join(scene.directory, "bin")
    await mkdir(bin)
    await writeFile(join(bin, "bd"), '#!/bin/sh\necho "primed: $*"\n')
    await chmod(join(bin, "bd"), 0o755)
    process.env["PATH"] = `${bin}${delimiter}${PATH ?? ""}`
    await scene.ask("What is to do?")
    await scene.ask("And then?")
    expect(Object.keys(scene.config.command ?? {})).toEqual(expect.arrayContaining(["bd-ready", "bd-create"]))
    expect(scene.config.agent?.["beads-task-agent"]).toMatchObject({
      mode: "subagent",
      prompt: expect.stringContaining("bd"),
    })
    const sent = sentText(scene.model)
    expect(sent).toContain("primed: prime")
    expect(sent.match(/<beads-context>/g)).toHaveLength(1)
    expect(scene.events.filter(({ type }) => type === "plugin.error")).toEqual([])
  })
})

describe("@tarquinen/opencode-dcp", () => {
  it("names messages for the model, and puts a summary in the place of those that it compresses", async () => {
    const dcp = await published("@tarquinen/opencode-dcp")
    const content = [{ startId: "m0001", endId: "m0002", summary: "They spoke of boats, at length." }]
    const replies = [
      [text("Boats float."), finish("stop")],
      [call("compress", { topic: "Boats", content }), finish("tool-calls")],
      [text("Compressed."), finish("stop")],
    ]
    await using scene = await running({ modules: { dcp }, replies })
    await scene.ask("Tell me of boats.")
    await scene.ask("Compress it.")
    const [first] = scene.model.requests
    expect(first?.tools.map(({ name }) => name)).toContain("compress")
    expect(first?.system.join("\n")).toContain("compress")
    expect(sentText(scene.model, 0)).toContain("m0001")
    expect(sentText(scene.model, 1)).toContain("Tell me of boats.")
    expect(sentText(scene.model, 2)).toContain("They spoke of boats, at length.")
    expect(sentText(scene.model, 2)).not.toContain("Boats float.")
    expect(scene.config).toMatchObject({ command: { "dcp-compress": {} }, permission: { compress: "allow" } })
    expect(scene.events.filter(({ type }) => type === "plugin.error")).toEqual([])
  })
})

describe.skipIf(process.platform === "win32")("opencode-pty", () => {
  it("runs a program in a terminal, and says how it ended", async () => {
    const pty = await published("opencode-pty")
    const script = 'test -t 0 && test -t 1 && printf "a terminal of $(stty size)"; exit 3'
    const input = { command: "sh", args: ["-c", script], description: "Looks for a terminal", notifyOnExit: true }
    const replies = [
      [call("pty_spawn", input), finish("tool-calls")],
      ...Array.from({ length: 5 }, () => [text("Fine."), finish("stop")]),
    ]
    await using scene = await running({ modules: { pty }, replies })
    await scene.ask("Start it")
    expect(sentText(scene.model)).toMatch(/Command: sh -c .*PID: [1-9]/)
    await expect.poll(() => sentText(scene.model)).toContain("Last Line: a terminal of 40 120")
    expect(sentText(scene.model)).toContain("Exit Code: 3")
    expect(scene.events.filter(({ type }) => type === "plugin.error")).toEqual([])
  })
})

describe("opencode-swarm", () => {
  it("adds agents, a command and tools, and changes prompts", async () => {
    const swarm = await published("opencode-swarm")
    await using scene = await running({ modules: { swarm } })
    expect(Object.keys(scene.config.agent ?? {})).toEqual(expect.arrayContaining(["architect", "coder", "reviewer"]))
    expect(scene.config.command).toHaveProperty("swarm")
    await scene.client.session.command({
      path: { id: scene.sessionID },
      body: { command: "swarm", arguments: "agents" },
    })
    expect(sentText(scene.model)).toContain("architect")
    expect(scene.model.requests[0]?.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["detect_domains", "extract_code_blocks", "gitingest"]),
    )
    expect(scene.events.filter(({ type }) => type === "plugin.error")).toEqual([])
  })
})
