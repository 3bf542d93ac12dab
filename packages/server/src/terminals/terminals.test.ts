import { once } from "node:events"
import type { Socket } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { spawn } from "@lydell/node-pty"
import { expect, it } from "vitest"
import { isAlive, terminalServer, terminalSocket } from "../../test/terminals.ts"
import type { TerminalLibrary } from "../host.ts"
import type { Pty } from "./terminal.ts"

it("runs a shell that reads what a client types and writes what it shows", async () => {
  const server = await terminalServer()
  const events = await server.events()
  const { id, command, cwd, status, pid } = await server.open({ title: "Mine" })
  expect({ command, cwd, status }).toEqual({ command: "/bin/sh", cwd: server.directory, status: "running" })
  expect(pid).toBeGreaterThan(1)
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)

  client.socket.send("echo typed-$((40 + 2)); tty\n")

  await client.shows("typed-42")
  await client.shows("/dev/pts/")
  expect((await server.send("GET", "/pty")).value).toMatchObject([{ id, title: "Mine", status: "running" }])
  client.socket.send("exit 7\n")
  await events.until("pty.exited")
  expect((await client.ended).code).toBe(1000)
  const told = events.seen.filter(({ type }) => type.startsWith("pty."))
  expect(told.map(({ type, properties }) => [type, properties])).toEqual([
    ["pty.created", { info: expect.objectContaining({ id, title: "Mine" }) }],
    ["pty.exited", { id, exitCode: 7 }],
  ])
  expect((await server.send("GET", `/pty/${id}`)).status).toBe(404)
  expect((await server.send("GET", "/pty")).value).toEqual([])
})

it("tells the program its size, within bounds", async () => {
  const server = await terminalServer()
  const events = await server.events()
  const { id } = await server.open()
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  const resized = await server.send("PUT", `/pty/${id}`, { title: "Wide", size: { rows: 33, cols: 123 } })
  expect(resized).toMatchObject({ status: 200, value: { id, title: "Wide" } })
  client.socket.send("stty size\n")
  await client.shows("33 123")
  await events.until("pty.updated")
  for (const size of [
    { rows: 0, cols: 80 },
    { rows: 24, cols: 1001 },
    { rows: 2.5, cols: 80 },
    { rows: -1, cols: 1 },
  ]) {
    expect((await server.send("PUT", `/pty/${id}`, { size })).status).toBe(400)
  }
  for (const size of [
    { rows: 1, cols: 1 },
    { rows: 1000, cols: 1000 },
  ]) {
    expect((await server.send("PUT", `/pty/${id}`, { size })).status).toBe(200)
  }
})

it.skipIf(process.platform === "win32")(
  "changes no size of a terminal that is closed, but has not ended yet",
  async () => {
    const sockets: Socket[] = []
    const load = async (): Promise<TerminalLibrary> => ({
      spawn(...options) {
        const terminal = spawn(...options)
        sockets.push((terminal as unknown as { readonly _socket: Socket })._socket)
        return terminal
      },
    })
    const server = await terminalServer({ host: { load } })
    const { id } = await server.open({ command: "sh", args: ["-c", "trap '' HUP; echo up; sleep 300"] })
    await (await terminalSocket(server.address, `/pty/${id}/connect`)).shows("up")
    for (const socket of sockets) await once(socket.destroy(), "close")
    expect((await server.send("PUT", `/pty/${id}`, { size: { rows: 5, cols: 5 } })).status).toBe(200)
  },
)

it("sends a client that comes back what follows its cursor", async () => {
  const server = await terminalServer()
  const { id } = await server.open()
  const first = await terminalSocket(server.address, `/pty/${id}/connect`)
  first.socket.send("stty -echo; echo one-ü\n")
  await first.shows("one-ü")
  await delay(50)
  const seen = first.text()
  first.socket.close()
  await first.ended
  const other = await terminalSocket(server.address, `/pty/${id}/connect`)
  other.socket.send("echo two\n")
  await other.shows("two")

  const again = await terminalSocket(server.address, `/pty/${id}/connect?cursor=${seen.length}`)
  await again.shows("two")
  expect(again.text()).not.toContain("one-ü")
  expect(seen + again.text()).toBe(other.text())
  expect(again.cursors).toEqual([{ cursor: other.text().length, at: again.text().length }])

  const live = await terminalSocket(server.address, `/pty/${id}/connect?cursor=-1`)
  live.socket.send("echo three\n")
  await live.shows("three")
  expect(live.text()).not.toContain("two")
  await expect(terminalSocket(server.address, `/pty/${id}/connect?cursor=-2`)).rejects.toThrow("refused with 400")
  await expect(terminalSocket(server.address, `/pty/${id}/connect?cursor=x`)).rejects.toThrow("refused with 400")
})

it("ends a removed terminal with everything that it started", async () => {
  const server = await terminalServer()
  const events = await server.events()
  const { id, pid } = await server.open()
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  client.socket.send("trap '' HUP TERM; (trap '' HUP TERM; sleep 300) & nohup sleep 301 & echo up-$!\n")
  await client.shows("up-")
  await expect.poll(() => /up-(\d+)/.exec(client.text())?.[1]).toBeDefined()
  const child = Number(/up-(\d+)/.exec(client.text())?.[1])
  expect(isAlive(child)).toBe(true)

  expect((await server.send("DELETE", `/pty/${id}`)).value).toBe(true)

  expect([isAlive(pid), isAlive(child)]).toEqual([false, false])
  expect((await client.ended).code).toBe(1001)
  await events.until("pty.deleted")
  expect((await server.send("DELETE", `/pty/${id}`)).status).toBe(404)
})

it("ends what a shell has left in the background when the shell ends", async () => {
  const server = await terminalServer()
  const { id } = await server.open()
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  client.socket.send("nohup sleep 302 >/dev/null 2>&1 & echo up-$!; exit\n")
  await client.ended
  const child = Number(/up-(\d+)\r/.exec(client.text())?.[1])
  expect(child).toBeGreaterThan(1)
  await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false)
})

it("keeps a directory with a terminal open, and closes the terminal with its directory", async () => {
  const server = await terminalServer({ maxIdleMs: 20 })
  const { id, pid } = await server.open()
  await delay(200)
  expect(server.closed).toEqual([])
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  await server.send("POST", "/instance/dispose")
  expect(server.closed).toEqual([server.directory])
  expect((await client.ended).code).toBe(1001)
  expect(isAlive(pid)).toBe(false)
})

it("opens no terminal in a directory that was closed meanwhile", async () => {
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: answer, resolve: respond } = Promise.withResolvers<Record<string, string>>()
  const environment = () => {
    ask()
    return answer
  }
  const server = await terminalServer({ host: { environment } })
  const opening = server.send("POST", "/pty", { command: "cat" })
  await isAsked
  await server.send("POST", "/instance/dispose")
  respond({ PATH: process.env["PATH"] ?? "" })
  expect(await opening).toMatchObject({
    status: 400,
    value: { data: { message: "This directory is being closed." } },
  })
})

it("closes terminals when the server stops", async () => {
  const server = await terminalServer()
  const { id, pid } = await server.open({ command: "sleep", args: ["300"] })
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  await server.stop()
  expect(isAlive(pid)).toBe(false)
  expect([1001, 1006]).toContain((await client.ended).code)
})

it("opens no more terminals than its limit", async () => {
  const environment = async () => {
    // All requests are under way before one of them is decided.
    await delay(200)
    return { PATH: process.env["PATH"] ?? "" }
  }
  const server = await terminalServer({ limits: { terminals: 3 }, host: { environment } })
  const opened = await Promise.all(Array.from({ length: 6 }, () => server.send("POST", "/pty", { command: "cat" })))
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(opened.filter(({ status }) => status === 400)).toHaveLength(3)
  const { id = "" } = (opened.find(({ status }) => status === 200)?.value ?? {}) as Partial<Pty>
  await server.send("DELETE", `/pty/${id}`)
  expect((await server.send("POST", "/pty", { command: "cat" })).status).toBe(200)
})

it.each([
  ["a missing program", { command: "no-such-program" }, 400],
  ["a missing directory", { cwd: "no-such-directory" }, 400],
  ["a variable without a name", { env: { "A=B": "c" } }, 400],
  ["pawl's own variable", { env: { PAWL_CALL: "x" } }, 400],
  ["NUL in an argument", { command: "cat", args: ["a\0b"] }, 400],
  ["an endless argument", { command: "cat", args: ["a".repeat(200_000)] }, 400],
  ["a long title", { title: "a".repeat(201) }, 400],
])("refuses %s", async (_what, body, status) => {
  const server = await terminalServer()
  expect((await server.send("POST", "/pty", body)).status).toBe(status)
  expect((await server.send("GET", "/pty")).value).toEqual([])
})

it("gives a terminal the environment of bash, with variables of the client", async () => {
  const server = await terminalServer({
    host: { environment: () => ({ PATH: process.env["PATH"] ?? "", KEPT: "yes" }) },
  })
  const { id } = await server.open({ env: { ADDED: "it's" } })
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  client.socket.send("env | sort | tr '\\n' ';'; echo do''ne\n")
  await client.shows("done")
  expect(client.text()).toContain("ADDED=it's;")
  expect(client.text()).toContain("KEPT=yes;")
  expect(client.text()).toContain("TERM=xterm-256color;")
  expect(client.text()).not.toMatch(/(?:VITEST|NODE_OPTIONS|HOSTNAME)=/)
})

it("names the missing library and the next step", async () => {
  const load = () => Promise.reject(new Error("Cannot find module 'x'\nRequire stack: …"))
  const server = await terminalServer({ host: { load } })
  const { status, value } = await server.send("POST", "/pty", {})
  expect(status).toBe(404)
  expect(JSON.stringify(value)).toMatch(
    /no terminals for .*@lydell\/node-pty cannot be loaded: Cannot find module 'x' Install/,
  )
})

it("lists shells, and has the same terminals in OpenCode's newer interface", async () => {
  const server = await terminalServer()
  expect((await server.send("GET", "/pty/shells")).value).toContainEqual(
    expect.objectContaining({ name: "sh", acceptable: true }),
  )
  const { value, status } = await server.send("POST", "/api/pty", { command: "cat" })
  const { data } = value as { data: Pty }
  expect({ status, value }).toMatchObject({ status: 200, value: { location: { directory: server.directory } } })
  expect((await server.send("GET", "/pty")).value).toEqual([data])
  const client = await terminalSocket(server.address, `/api/pty/${data.id}/connect`)
  client.socket.send("meow\n")
  await client.shows("meow\r\nmeow")
  expect((await server.send("DELETE", `/api/pty/${data.id}`)).status).toBe(204)
})
