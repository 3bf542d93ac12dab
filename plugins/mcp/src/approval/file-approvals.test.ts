import { spawnSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { currentProcess } from "@pawl/storage-kit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createFileApprovals } from "./file-approvals.ts"

const server = { name: "s", scope: "project", directory: "/p" } as const

describe("approvals in a file", () => {
  let directory: string
  let path: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "pawl-mcp-approvals-"))
    path = join(directory, "mcp", "approvals.json")
  })
  afterEach(() => rm(directory, { recursive: true }))

  it("are there for another process, for this content alone", async () => {
    await createFileApprovals(path).allow(server, "hash", { a: "1" })
    const other = createFileApprovals(path)

    expect(await other.state(server, "hash")).toBe("allowed")
    expect(await other.tools(server, "hash")).toEqual({ a: "1" })
    expect(await other.state(server, "hasH")).toBe("changed")
    expect(await other.tools(server, "hasH")).toBeUndefined()
  })

  it("are of one server in one project", async () => {
    const approvals = createFileApprovals(path)
    await approvals.allow(server, "hash")

    expect(await approvals.state({ ...server, name: "t" }, "hash")).toBe("unknown")
    expect(await approvals.state({ ...server, directory: "/q" }, "hash")).toBe("unknown")
    expect(await approvals.state({ ...server, scope: "user" }, "hash")).toBe("unknown")
  })

  it("can be taken back", async () => {
    const approvals = createFileApprovals(path)
    await approvals.allow(server, "hash")
    await approvals.forget(server)
    expect(await approvals.state(server, "hash")).toBe("unknown")
  })

  it("are for their owner alone to read and write", async () => {
    await createFileApprovals(path).allow(server, "hash")
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it.runIf(process.platform !== "win32")("that others may write allow nothing", async () => {
    const approvals = createFileApprovals(path)
    await approvals.allow(server, "hash")
    await chmod(path, 0o666)
    expect(await approvals.state(server, "hash")).toBe("unknown")
  })

  it("that cannot be read allow nothing", async () => {
    const approvals = createFileApprovals(path)
    await approvals.allow(server, "hash")
    await writeFile(path, "{", { mode: 0o600 })
    expect(await approvals.state(server, "hash")).toBe("unknown")
    // With none seen yet, the first that it offers would be allowed.
    expect(await approvals.tools(server, "hash")).toEqual({})
  })

  it("that cannot be read are set aside by the next approval", async () => {
    const approvals = createFileApprovals(path)
    await approvals.allow(server, "hash")
    await writeFile(path, "{", { mode: 0o600 })
    await approvals.allow({ ...server, name: "t" }, "hash")
    expect(await approvals.state({ ...server, name: "t" }, "hash")).toBe("allowed")
    expect(await readFile(`${path}.unreadable`, "utf8")).toBe("{")
  })

  it("are given though a process that was killed left its lock, whatever the clock says", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"])
    await mkdir(dirname(path))
    await writeFile(`${path}.lock`, JSON.stringify({ ...currentProcess(), token: "left", pid }))
    const future = new Date(Date.now() + 3_600_000)
    await utimes(`${path}.lock`, future, future)

    await createFileApprovals(path).allow(server, "hash")
    expect(await createFileApprovals(path).state(server, "hash")).toBe("allowed")
  })

  it("given at the same time by several are all kept", async () => {
    const names = Array.from({ length: 8 }, (_, at) => `s${at}`)
    await Promise.all(names.map((name) => createFileApprovals(path).allow({ ...server, name }, "hash")))
    expect(Object.keys((JSON.parse(await readFile(path, "utf8")) as { servers: object }).servers)).toHaveLength(8)
  })
})
