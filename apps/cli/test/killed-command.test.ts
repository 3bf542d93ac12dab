import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { call, modelServer, type RecordedRequest, reply, text } from "@pawl/model-server"
import { describe, expect, it, onTestFinished } from "vitest"
import { endAll, exists, guardsOf, killTogether, processesIn, processesOfSession, variableOf } from "./processes.ts"
import { workplace } from "./workplace.ts"

const command = [
  "setsid sh -c 'touch begun-1; sleep 1000; touch late-setsid' >/dev/null 2>&1 </dev/null &",
  "nohup sh -c 'trap \"\" TERM HUP; touch begun-2; sleep 1000; sleep 1000; touch late-nohup' >/dev/null 2>&1 </dev/null &",
  "touch begun-3; echo started; sleep 1000; touch late-foreground",
].join(" ")

/** Starts processes without any environment, and becomes one itself. */
const unmarked = [
  "echo $$ >leader; touch begun-3;",
  "env -i sh -c 'touch begun-1; sleep 1000; touch late-unmarked' &",
  "env -i sh -c 'trap \"\" TERM; touch begun-2; sleep 1000; sleep 1000; touch late-unmarked' &",
  "exec env -i sleep 1000",
].join(" ")

interface Work {
  /** With a plugin the engine is made in another way. */
  readonly plugin?: string
  readonly line?: string
}

/** A run whose command is at work. */
async function atWork({ plugin, line = command }: Work = {}) {
  const replies = ({ body }: RecordedRequest) =>
    reply(JSON.stringify(body).includes('"tool"') ? text("Understood.") : call("bash", { command: line }))
  const place = await workplace()
  onTestFinished(() => endAll(processesIn(place.project)))
  if (plugin !== undefined) {
    await mkdir(join(place.configuration, "plugin"))
    await writeFile(join(place.configuration, "plugin/some.js"), plugin)
  }
  await writeFile(join(place.configuration, "pawl.jsonc"), JSON.stringify({ permission: { "*": "allow" } }))
  const server = await modelServer({ replies })
  const model = ["-m", "custom/test", "--base-url", server.url]
  const { child, finished } = place.start(["run", ...model, "go"])
  let ended: unknown
  void finished.then((end) => (ended = end))
  const marked = () => processesIn(place.project).filter((id) => id !== child.pid)
  const begun = ["begun-1", "begun-2", "begun-3"].map((name) => join(place.project, name))
  while (!(await Promise.all(begun.map((path) => exists(path)))).every(Boolean)) {
    if (ended) throw new Error(`It ended: ${JSON.stringify(ended)}`)
    await delay(20)
  }
  const goOn = () => place.pawl(["run", "-c", ...model, "Go on"])
  return { ...place, server, child, marked, goOn, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe.runIf(process.platform === "linux")("a foreground command whose pawl is killed", () => {
  it("is gone with all that it started, and the model reads that it was stopped", async () => {
    await using run = await atWork()
    expect(run.marked().length).toBeGreaterThanOrEqual(3)

    const killed = performance.now()
    run.child.kill("SIGKILL")
    while (run.marked().length > 0) await delay(20)
    if (process.env["PAWL_FIGURES"]) console.log(`gone after ${Math.round(performance.now() - killed)} ms`)

    expect(await run.goOn()).toMatchObject({ code: 0 })
    expect(JSON.stringify(run.server.requests.at(-1)?.body)).toContain(
      "All of its processes that could be found were ended.",
    )
    for (const name of ["late-setsid", "late-nohup", "late-foreground"]) {
      expect(await exists(join(run.project, name))).toBe(false)
    }
  })

  it.each([
    ["", {}],
    [", also with plugins", { plugin: "export const Some = async () => ({})" }],
  ])("is ended by the process that continues the session if its guard was killed too%s", async (_, work) => {
    await using run = await atWork(work)
    const guards = guardsOf(run.child.pid as number)
    expect(guards).toHaveLength(1)
    killTogether(run.child, guards)
    expect(run.marked().length).toBeGreaterThanOrEqual(3)

    expect(await run.goOn()).toMatchObject({ code: 0 })

    expect(run.marked()).toEqual([])
    expect(JSON.stringify(run.server.requests.at(-1)?.body)).toContain(
      "All of its processes that could be found were ended.",
    )
  })

  it.each([
    ["also what has lost its environment", false],
    ["also when the leader of what has lost its environment is gone", true],
  ])("is ended by the process that continues: %s", async (_, isLeaderGone) => {
    await using run = await atWork({ line: unmarked })
    const leader = Number(await readFile(join(run.project, "leader"), "utf8"))
    onTestFinished(() => endAll(processesOfSession(leader)))
    while (processesOfSession(leader).some((id) => variableOf(id, "PAWL_CALL") !== undefined)) await delay(20)
    killTogether(run.child, guardsOf(run.child.pid as number))
    if (isLeaderGone) {
      process.kill(leader, "SIGKILL")
      while (processesOfSession(leader).includes(leader)) await delay(20)
    }
    expect(processesOfSession(leader).length).toBeGreaterThanOrEqual(4)

    expect(await run.goOn()).toMatchObject({ code: 0 })

    expect(processesOfSession(leader)).toEqual([])
    expect(await readdir(join(run.data, "processes"))).toEqual([])
    expect(await exists(join(run.project, "late-unmarked"))).toBe(false)
  })
})
