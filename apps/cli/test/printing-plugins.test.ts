import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { jsonLines, type Workplace, workplace } from "./workplace.ts"

/** Prints in every way that code has, at every time that it is called. */
const LOUD = `import { execFileSync, execSync, fork, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, writeFile, writeFileSync, writeSync } from "node:fs"
import { stdout } from "node:process"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"

export async function loud(when) {
  const say = (way) => "LOUD " + when + " " + way
  console.log(say("console"))
  console.table([say("table")])
  process.stdout.write(say("write") + "\\n")
  stdout.end(say("end") + "\\n")
  writeSync(1, say("writeSync") + "\\n")
  writeSync(process.stdout.fd, say("fd") + "\\n")
  writeFileSync(1, say("writeFileSync") + "\\n")
  appendFileSync(1, say("appendFileSync") + "\\n")
  writeFileSync("/dev/stdout", say("path") + "\\n")
  await new Promise((done) => writeFile(1, say("writeFile") + "\\n", done))
  spawnSync("echo", [say("spawnSync")], { stdio: "inherit" })
  Bun.spawnSync(["echo", say("BunSync")], { stdout: "inherit" })
  await Bun.spawn(["echo", say("Bun")], { stdio: ["ignore", "inherit", "inherit"] }).exited
  execFileSync("echo", [say("execFileSync")], { stdio: ["ignore", "inherit", "inherit"] })
  execSync("echo " + say("execSync"), { stdio: ["ignore", 1, 2] })
  await once(spawn("echo", [say("spawn")], { stdio: ["ignore", process.stdout, "inherit"] }), "close")
  await once(spawn("echo", [say("piped")]).stdout.pipe(process.stdout), "unpipe")
  if (when !== "start") return
  await once(fork(fileURLToPath(new URL("child.mjs", import.meta.url)), [say("fork")]), "close")
  await once(new Worker("console.log(" + JSON.stringify(say("worker")) + ")", { eval: true }), "exit")
}
await loud("import")
export default async () => {
  await loud("start")
  return {
    "chat.params": () => loud("hook"),
    dispose: () => loud("end"),
  }
}
`
const WAYS = [
  "console table write end writeSync fd writeFileSync appendFileSync path writeFile",
  "spawnSync BunSync Bun execFileSync execSync spawn piped",
].flatMap((ways) => ways.split(" "))

const TOOL = `import { spawnSync } from "node:child_process"
export default {
  description: "Prints", args: {},
  async execute() {
    console.log("LOUD tool console")
    spawnSync("echo", ["LOUD tool spawnSync"], { stdio: "inherit" })
    return "printed"
  },
}
`

async function loudPlace(): Promise<Workplace> {
  const place = await workplace()
  const files = {
    // The function is no plugin: it stands in a file of its own.
    "loud/loud.mjs": LOUD.replace("export async function loud", "async function loud"),
    "loud/child.mjs": "console.log(process.argv[2])",
    "pawl.jsonc": '{ "plugin": ["./loud/loud.mjs"] }',
    "tool/loud_tool.js": TOOL,
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(place.configuration, path)), { recursive: true })
    await writeFile(join(place.configuration, path), content)
  }
  return place
}

const said = (stderr: string) => [...new Set(stderr.match(/LOUD \w+ \w+/g))].toSorted()
const all = [
  ...["import", "start", "hook", "end"].flatMap((when) => WAYS.map((way) => `LOUD ${when} ${way}`)),
  ...["LOUD start fork", "LOUD start worker", "LOUD tool console", "LOUD tool spawnSync"],
].toSorted()

it("keeps what plugins, tools and their processes print from the answer, and shows it beside", async () => {
  const place = await loudPlace()
  await using server = await modelServer({ replies: [reply(call("loud_tool", {})), reply(text("Done."))] })

  const run = await place.pawl(["run", "-m", "custom/test", "--base-url", server.url, "go"])

  expect(run).toMatchObject({ code: 0, stdout: "Done.\n" })
  expect(said(run.stderr)).toEqual(all)
})

it("keeps it from JSON lines, and from those of other commands", async () => {
  const place = await loudPlace()
  await using server = await modelServer({ replies: [reply(call("loud_tool", {})), reply(text("Done."))] })

  const run = await place.pawl(["run", "-m", "custom/test", "--base-url", server.url, "--format", "json", "go"])
  const doctor = await place.pawl(["plugin", "doctor", "--format", "json"])

  expect(jsonLines(run.stdout).at(-1)).toMatchObject({ type: "step_finish" })
  expect(said(run.stdout)).toEqual([])
  expect(said(run.stderr)).toEqual(all)
  expect(jsonLines(doctor.stdout)).toMatchObject([{ ok: true }])
})

it("keeps it from the protocol of mcp serve", async () => {
  const place = await loudPlace()
  await using server = await modelServer({ replies: [reply(call("loud_tool", {})), reply(text("Done."))] })
  const args = ["mcp", "serve", "-m", "custom/test", "--base-url", server.url]
  const { child, finished } = place.start(args, { isOpen: true })
  const answered = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: string) => (chunk.includes('"id":2') ? resolve() : undefined))
  })
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  const messages = [
    { id: 1, method: "initialize", params: client },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "session_prompt", arguments: { prompt: "go" } } },
  ]
  for (const message of messages) child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  await Promise.race([answered, finished])
  child.stdin?.end()

  const { stdout, stderr } = await finished

  const lines = jsonLines(stdout)
  expect(lines.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true)
  expect(lines.find(({ id }) => id === 2)).toMatchObject({ result: { structuredContent: { text: "Done." } } })
  expect(said(stderr)).toEqual(all)
})
