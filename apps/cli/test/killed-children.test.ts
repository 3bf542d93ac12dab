import { mkdir, readdir, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { call, modelServer, type RecordedRequest, reply, stall, text } from "@pawl/model-server"
import { describe, expect, it, onTestFinished } from "vitest"
import { argumentsOf, endAll, exists, guardsOf, killTogether, processesIn, variableOf } from "./processes.ts"
import { built, workplace } from "./workplace.ts"

/** What a plugin, a tool or a command does: it waits in a session of its own and below its starter. */
const waits = (name: string) => `setsid sh -c 'touch ${name}-1; sleep 1000' & touch ${name}-2; sleep 1000`

async function until(condition: () => Promise<boolean> | boolean, ended: () => unknown = () => undefined) {
  while (!(await condition())) {
    const end = ended()
    if (end) throw new Error(`It ended: ${JSON.stringify(end)}`)
    await delay(20)
  }
}

/** A project in which pawl runs, with what its processes have begun. */
async function scene(config: object) {
  const place = await workplace()
  const root = dirname(place.project)
  await writeFile(join(place.configuration, "pawl.jsonc"), JSON.stringify(config))
  const begun = async (...names: string[]) => {
    const paths = names.flatMap((name) => [1, 2].map((number) => join(place.project, `${name}-${number}`)))
    return (await Promise.all(paths.map(exists))).every(Boolean)
  }
  const start = (args: readonly string[]) => {
    const { child, finished } = place.start(args)
    let end: unknown
    void finished.then((value) => (end = value))
    return { child, finished, until: (condition: () => Promise<boolean> | boolean) => until(condition, () => end) }
  }
  onTestFinished(() => endAll(processesIn(root)))
  /** With a model that gives such a part to what was said. */
  const run = async (answer: (said: string) => ReturnType<typeof text>) => {
    const server = await modelServer({ replies: (request) => reply(answer(saidIn(request))) })
    onTestFinished(() => server[Symbol.asyncDispose]())
    const model = ["-m", "custom/test", "--base-url", server.url]
    return { ...start(["run", "--ask", "wait", ...model, "go"]), model, server }
  }
  return { ...place, root, begun, start, run, left: () => processesIn(root) }
}

const saidIn = ({ body }: RecordedRequest) => JSON.stringify(body)

/** A plugin and a tool that start processes as any code does, with the environment that they have. */
async function startingCode(configuration: string): Promise<void> {
  await Promise.all(["tool", "plugin"].map((name) => mkdir(join(configuration, name))))
  const start = (name: string) => {
    const args = JSON.stringify(["-c", waits(name)])
    return `spawn("sh", ${args}, { stdio: "ignore", detached: true }).unref()`
  }
  const [spawn, tool, plugin] = ['import { spawn } from "node:child_process"', start("tool"), start("plugin")]
  const execute = `execute() { ${tool}; return "Started." }`
  await writeFile(
    join(configuration, "tool/starter.js"),
    `${spawn}; export default { description: "Starts.", args: {}, ${execute} }`,
  )
  await writeFile(
    join(configuration, "plugin/foreign.js"),
    `${spawn}; ${plugin}; export const Foreign = async () => ({})`,
  )
}

describe.runIf(process.platform === "linux")("a pawl that is killed", () => {
  it.each<NodeJS.Signals>(["SIGKILL", "SIGTERM"])(
    "leaves nothing of what plugins, tools of the user's and messages to people have started: %s",
    async (signal) => {
      const notify = { command: ["sh", "-c", waits("message")], on: ["question"] }
      const here = await scene({ permission: { bash: "ask" }, plugin: [["@pawl/plugin-notify", notify]] })
      await startingCode(here.configuration)
      const run = await here.run((said) =>
        said.includes("Started.") ? call("bash", { command: "true" }) : call("starter", {}),
      )
      await run.until(() => here.begun("plugin", "tool", "message"))

      run.child.kill(signal)

      await until(() => here.left().length === 0)
      // It is the next one that looks whether anything is left.
      expect(await readdir(join(here.data, "processes"))).toHaveLength(1)
    },
  )

  it("but not one that ends by itself: what a tool or a plugin left running goes on", async () => {
    const here = await scene({})
    await startingCode(here.configuration)
    const run = await here.run((said) => (said.includes("Started.") ? text("Done.") : call("starter", {})))

    expect(await run.finished).toMatchObject({ code: 0 })

    await until(() => here.begun("plugin", "tool"))
    expect(await readdir(join(here.data, "processes"))).toEqual([])
    // Three each: a shell, one in a session of its own, and what both wait for.
    expect(here.left().length).toBeGreaterThanOrEqual(6)
  })

  it.each<NodeJS.Signals>(["SIGKILL", "SIGTERM"])("leaves nothing of a command for a token: %s", async (signal) => {
    const here = await scene({})
    const auth = { command: ["sh", "-c", waits(join(here.project, "token"))], env: "ACME_TOKEN" }
    const server = createServer((_request, response) => void response.end(JSON.stringify({ config: {}, auth })))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const run = here.start(["auth", "login", `http://127.0.0.1:${port}`, "--yes"])
    await run.until(() => here.begun("token"))

    run.child.kill(signal)

    await until(() => here.left().length === 0)
    expect(await run.finished).toMatchObject({ stdout: "" })
  })

  it("together with its guard leaves jobs that the next one ends, whatever that one works on", async () => {
    // With a plugin the engine is made in another way.
    const here = await scene({ permission: { "*": "allow" } })
    await mkdir(join(here.configuration, "plugin"))
    await writeFile(join(here.configuration, "plugin/none.js"), "export const None = async () => ({})")
    const run = await here.run((said) => {
      if (said.includes("the other task")) return text("Done.")
      return said.includes('"tool"') ? stall() : call("bash", { command: waits("job"), background: true })
    })
    await run.until(() => here.begun("job"))
    await run.server.received(2)
    killTogether(run.child, guardsOf(run.child.pid as number))
    await run.finished
    expect(here.left().length).toBeGreaterThanOrEqual(3)

    expect(await here.pawl(["run", ...run.model, "the other task"])).toMatchObject({ code: 0, stdout: "Done.\n" })

    expect(here.left()).toEqual([])
    expect(await readdir(join(here.data, "processes"))).toEqual([])
  })

  it("together with its guard inside of a call leaves what the call's own pawl ends", async () => {
    const here = await scene({ permission: { "*": "allow" } })
    await using server = await modelServer({
      replies: (request) =>
        reply(call("bash", { command: saidIn(request).includes("the inner task") ? waits("inner") : outer })),
    })
    const model = ["-m", "custom/test", "--base-url", server.url]
    const inner = [...built, "run", ...model, "the inner task"].map((word) => `'${word}'`).join(" ")
    const places = `PAWL_DATA_DIR='${join(here.root, "inner")}' PAWL_CONFIG_DIR='${here.configuration}'`
    // The call goes on when its pawl is gone.
    const outer = `${places} ${inner}; sleep 1000`
    const run = here.start(["run", ...model, "the task"])
    await run.until(() => here.begun("inner"))
    const isInner = (id: number) => argumentsOf(id)[0] === process.execPath && id !== run.child.pid
    const [id = 0, ...others] = here.left().filter(isInner)
    expect(others).toEqual([])
    const marks = here.left().map((each) => variableOf(each, "PAWL_CALL")?.split(":").length ?? 0)
    // Each pawl, its call and the command of that.
    expect(Math.max(...marks)).toBe(6)
    killTogether({ kill: () => process.kill(id, "SIGKILL") }, guardsOf(id))
    await until(() => !here.left().includes(id))
    expect(here.left().length).toBeGreaterThanOrEqual(4)

    run.child.kill("SIGINT")

    expect((await run.finished).code).toBe(130)
    expect(here.left()).toEqual([])
  })
})
