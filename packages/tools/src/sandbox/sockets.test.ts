import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, rm, symlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { noBwrap, sandboxed, skipNote, testHome, visibleNode } from "../../test/sandboxed.ts"

const SERVICE = `
  const { createServer } = require("node:net")
  const listen = (path) => new Promise((resolve) => createServer((socket) => socket.end("HIT")).listen(path, resolve))
  Promise.all(process.argv.slice(1).map(listen)).then(() => console.log("listening"))`

/** Starts a service that answers on these sockets. */
async function listen(...paths: readonly string[]): Promise<void> {
  for (const path of paths) await mkdir(dirname(path), { recursive: true })
  const service = spawn(process.execPath, ["-e", SERVICE, ...paths], { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(async () => {
    const ended = once(service, "exit")
    service.kill("SIGKILL")
    await ended
    // A sandbox of another test may be about to hide them.
    await delay(300)
    for (const path of paths) await rm(path, { force: true })
  })
  await once(service.stdout, "data")
}

/** Connects to each; a line with the answer or the error. */
async function asking(paths: readonly string[]): Promise<string> {
  const program = `
    const { connect } = require("node:net")
    const ask = (path) => new Promise((resolve) => {
      let text = ""
      connect(path).on("data", (data) => { text += data }).on("error", () => resolve("-")).on("end", () => resolve(text))
    })
    Promise.all(process.argv.slice(1).map(ask)).then((all) => console.log(all.join(" ")))`
  return [await visibleNode(), "-e", program, ...paths].map((word) => `'${word}'`).join(" ")
}

/** Root's commands may make files there, as services do. */
const canUseRun = process.getuid?.() === 0

describe.skipIf(noBwrap)(`sockets in bubblewrap${skipNote}`, () => {
  it.each([false, true])("are hidden outside of the project, with the network: %s", async (network) => {
    const other = await testHome()
    const writable = await testHome()
    const { directory, home, run } = await sandboxed({ network, writable: [writable] })
    const name = `pawl-${crypto.randomUUID()}.sock`
    const paths = [
      ...[join(directory, "own.sock"), join(home, "a.sock"), join(home, ".docker/docker.sock")],
      ...[join(other, "with space/b.sock"), join(writable, "c.sock")],
      ...(canUseRun ? [`/run/${name}`, `/run/lock/${name}`] : []),
    ]
    await listen(...paths)
    const { output } = await run(await asking(paths))
    expect(output).toBe(["HIT", ...paths.slice(1).map(() => "-")].join(" "))
    expect((await run("ls -A /run /var/run | grep -v ':$'")).output).not.toContain(name)
  })

  it("can be used if they are named, or the directory or link that leads to them", async () => {
    const home = await testHome()
    const run = canUseRun ? `/run/pawl-${crypto.randomUUID()}` : join(home, "run")
    onTestFinished(() => rm(run, { recursive: true, force: true }))
    const paths = ["named.sock", "directory/a.sock", "target.sock", "other.sock"].map((name) => join(run, name))
    await listen(...paths)
    await symlink("target.sock", `${run}/link.sock`)
    const sockets = [`${run}/named.sock`, `${run}/directory`, `${run}/link.sock`, `${run}/missing.sock`]
    const sandbox = await sandboxed({ home, sockets })
    const { output } = await sandbox.run(await asking([...paths, `${run}/link.sock`]))
    expect(output).toBe("HIT HIT HIT - HIT")
    expect((await sandbox.run(`rm ${run}/named.sock 2>/dev/null || echo kept`)).output).toBe("kept")
  })

  it.skipIf(!canUseRun)("leave the name servers readable where the network is allowed", async () => {
    const { run } = await sandboxed({ network: true })
    expect((await run("cat /etc/resolv.conf >/dev/null && echo readable")).output).toBe("readable")
  })

  it("show a project below /run", async () => {
    if (!canUseRun) return
    const project = `/run/pawl-${crypto.randomUUID()}`
    await mkdir(project)
    onTestFinished(() => rm(project, { recursive: true }))
    const { run } = await sandboxed({ writable: [project] })
    expect((await run(`touch ${project}/a && ls ${project}`)).output).toBe("a")
  })
})
