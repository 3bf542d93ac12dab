import { execFile, execFileSync } from "node:child_process"
import { once } from "node:events"
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Config } from "@pawl/config"
import { expect, it, onTestFinished } from "vitest"
import { openSandbox } from "./sandbox.ts"

const host = { environment: { PATH: process.env["PATH"] }, home: undefined }

const isThere = await openSandbox({ config: { sandbox: "bwrap" }, layers: [], dataDirectory: "/none" }, host).then(
  (sandbox) => sandbox?.close().then(() => true) ?? false,
  () => false,
)

it.skipIf(!isThere)("hides the data directory, wherever it is (skipped where bubblewrap cannot be used)", async () => {
  // Not below /tmp, which a sandbox hides in any case.
  const root = await mkdtemp("/var/tmp/pawl-cli-")
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const [project, dataDirectory] = [join(root, "project"), join(root, "data")]
  await Promise.all([mkdir(project), mkdir(dataDirectory)])
  await writeFile(join(dataDirectory, "auth.json"), "KEY")
  await writeFile(join(root, "notes.txt"), "notes")

  const sandbox = await openSandbox({ config: { sandbox: "bwrap" }, layers: [], dataDirectory }, host)
  onTestFinished(() => sandbox?.close())
  const place = { directory: project, worktree: project, cwd: project }
  const command = `cat ../notes.txt; cat ${dataDirectory}/auth.json 2>&1 || true`
  const [program = "", ...rest] = (await sandbox?.wrap(["/bin/sh", "-c", command], place)) ?? []

  const said = execFileSync(program, rest, { encoding: "utf8", cwd: project })
  expect(said).toContain("notes")
  expect(said).not.toContain("KEY")
})

it.skipIf(!isThere)(
  "hides sockets but those that are named, relative to the file that names them (skipped where bubblewrap cannot be used)",
  async () => {
    const root = await mkdtemp("/var/tmp/pawl-cli-")
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const project = join(root, "project")
    await mkdir(project)
    const service = createServer((socket) => socket.end("HIT"))
    onTestFinished(() => void service.close())
    await once(service.listen(join(root, "a.sock")), "listening")
    // A sandbox has a separate /tmp.
    const node = process.execPath.startsWith("/tmp/") ? join(root, "node") : process.execPath
    if (node !== process.execPath) await copyFile(process.execPath, node)
    const program = `require("node:net").connect(process.argv[1]).on("data", (data) => console.log(String(data))).on("error", () => console.log("-"))`

    const answerWith = async (sockets: string[]) => {
      const config: Config = { sandbox: { type: "bwrap", sockets } }
      const layers = [{ config, source: join(root, "config/pawl.json"), isProject: false }]
      const sandbox = await openSandbox({ config, layers, dataDirectory: join(root, "data") }, host)
      onTestFinished(() => sandbox?.close())
      const argv = [node, "-e", program, join(root, "a.sock")]
      const place = { directory: project, worktree: project, cwd: project }
      const [name = "", ...rest] = (await sandbox?.wrap(argv, place)) ?? []
      return (await promisify(execFile)(name, rest, { cwd: project })).stdout.trim()
    }
    expect(await answerWith([])).toBe("-")
    expect(await answerWith(["../a.sock"])).toBe("HIT")
  },
)

it("is none where the configuration says nothing of it", async () => {
  expect(await openSandbox({ config: {}, layers: [], dataDirectory: "/none" }, host)).toBeUndefined()
})
