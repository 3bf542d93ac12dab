import { once } from "node:events"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply, stall, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { CTRL_C, inTerminal } from "./terminal.ts"
import { built, type Workplace, workplace } from "./workplace.ts"

const FOREVER = "while (true) {}"
const FOREVER_ASYNC = "const again = () => Promise.resolve().then(again); return again()"
const FOR_A_WHILE = "const end = Date.now() + 3500; while (Date.now() < end) {}"

/** A user's plugin whose hook runs `code` before each call. */
async function plugin({ configuration }: Workplace, code: string): Promise<string> {
  const file = join(configuration, "plugin/busy.ts")
  await mkdir(join(configuration, "plugin"))
  await writeFile(file, `export default async () => ({ "tool.execute.before": async () => {\n${code}\n} })\n`)
  return file
}

it.each([
  ["a loop", FOREVER],
  ["microtasks without an end", FOREVER_ASYNC],
])("a plugin with %s is named, SIGTERM ends the process, and the session is free at once", async (_, code) => {
  const place = await workplace()
  await using server = await modelServer({ replies: [reply(call("list", {})), reply(text("Went on."))] })
  const file = await plugin(place, code)
  const { child, said } = place.start(["run", "-m", "custom/test", "--base-url", server.url, "go"])
  await said(`the plugin ${file} (${file}:2) keeps this process busy. Ctrl-C ends it.`)

  child.kill("SIGTERM")
  await once(child, "close")
  await rm(file)
  const next = await place.pawl(["run", "-c", "--base-url", server.url])

  expect(child.signalCode).toBe("SIGTERM")
  expect(next).toMatchObject({ code: 0, stdout: "Went on.\n" })
})

it("SIGTERM ends a process whose plugin loops while it is loaded", async () => {
  const place = await workplace()
  await mkdir(join(place.configuration, "plugin"))
  const busy = `import { writeSync } from "node:fs"\nwriteSync(2, "loops\\n")\n${FOREVER}\nexport default async () => ({})\n`
  await writeFile(join(place.configuration, "plugin/busy.ts"), busy)
  const { child, said } = place.start(["run", "-m", "replay/hello", "go"])
  const closed = once(child, "close")
  await said("loops")
  // A signal in the first seconds of the loop is lost.
  const again = setInterval(() => child.kill("SIGTERM"), 500)
  await closed.finally(() => clearInterval(again))

  expect(child.signalCode).toBe("SIGTERM")
})

it("Ctrl-C ends a process whose plugin loops, and leaves the terminal as it was", async () => {
  const place = await workplace()
  await using server = await modelServer({ replies: [reply(call("list", {}))] })
  await plugin(place, FOREVER)
  const command = [...built, "run", "-m", "custom/test", "--base-url", server.url, "go"].map((word) => `'${word}'`)
  const terminal = inTerminal(["sh", "-c", `trap : INT; stty -g; ${command.join(" ")}; echo ended $?; stty -g`], {
    directory: place.project,
    columns: 400,
    environment: {
      ...{ PATH: process.env["PATH"] ?? "", HOME: place.project },
      ...{ PAWL_DATA_DIR: place.data, PAWL_CONFIG_DIR: place.configuration },
    },
  })
  await terminal.shows("keeps this process busy")
  terminal.type(CTRL_C)
  await terminal.ended

  const lines = terminal.text().split("\n")
  expect(lines).toContainEqual(expect.stringMatching(/ended 130$/))
  expect(lines.at(-1)).toBe(lines[0])
})

it("a process whose thread was blocked only for a while ends with Ctrl-C as any other", async () => {
  const place = await workplace()
  await using server = await modelServer({ replies: [reply(call("list", {})), reply(stall())] })
  await plugin(place, FOR_A_WHILE)
  const { child, finished, said } = place.start(["run", "-m", "custom/test", "--base-url", server.url, "go"])
  await said("keeps this process busy")
  await server.received(2)
  child.kill("SIGINT")

  const { code, stderr } = await finished
  expect(code).toBe(130)
  expect(stderr).toContain("go on:")
})
