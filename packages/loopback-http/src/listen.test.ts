import { describe, expect, it, onTestFinished } from "vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { listenOn, type ListenTarget } from "./listen.ts"

async function listening(target: ListenTarget): Promise<Server> {
  const server = createServer((_request, response) => void response.end("here"))
  await listenOn(server, target)
  onTestFinished(() => void server.close())
  return server
}

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "pawl-listen-"))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

it("listens on the loopback interface alone", async () => {
  const server = await listening({ port: 0 })
  expect((server.address() as AddressInfo).address).toBe("127.0.0.1")
})

it("names a port that another server has, and what to do", async () => {
  const { port } = (await listening({ port: 0 })).address() as AddressInfo
  await expect(listening({ port })).rejects.toThrow(
    `Port ${port} of 127.0.0.1 cannot be listened on: it is taken. Name another one, or none.`,
  )
})

describe.skipIf(process.platform === "win32")("a socket", () => {
  it("is for its user alone, in a directory that is made", async () => {
    const socket = join(await directory(), "made", "pawl.sock")
    await listening({ socket })
    expect((await stat(socket)).mode & 0o777).toBe(0o600)
  })

  it("of a living server is not taken", async () => {
    const socket = join(await directory(), "pawl.sock")
    await listening({ socket })
    await expect(listening({ socket })).rejects.toThrow("it is taken")
  })

  it("of a dead process is replaced", async () => {
    const socket = join(await directory(), "pawl.sock")
    const code = `require("node:http").createServer().listen(${JSON.stringify(socket)}, () => console.log("up"))`
    const child = spawn(process.execPath, ["-e", code])
    await once(child.stdout, "data")
    child.kill("SIGKILL")
    await once(child, "exit")
    expect((await listening({ socket })).address()).toBe(socket)
  })

  it("does not replace a file", async () => {
    const path = join(await directory(), "notes.txt")
    await writeFile(path, "mine")
    await expect(listening({ socket: path })).rejects.toThrow("is in the way")
  })
})
