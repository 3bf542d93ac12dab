import { once } from "node:events"
import { symlink } from "node:fs/promises"
import { request } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { PermissionScope } from "@pawl/core/permission"
import { expect, it, onTestFinished } from "vitest"
import { terminalServer, terminalSocket, withToken } from "../../test/terminals.ts"
import type { Ticket } from "./tickets.ts"

type Rule = PermissionScope["rules"][number]

const bash = (pattern: string, action: Rule["action"]): Rule => ({ permission: "bash", pattern, action })
const user = (...rules: Rule[]): PermissionScope => ({ name: "user configuration", source: "user", rules })
const project = (...rules: Rule[]): PermissionScope => {
  return { name: "project configuration", source: "project", onlyTightens: true, rules }
}

const shell = {}
const log = { command: "git", args: ["log"] }

it.each<[string, readonly PermissionScope[], object, number]>([
  ["a shell by the defaults", [], shell, 403],
  ["a shell by a rule that allows all of bash", [user(bash("*", "allow"))], shell, 200],
  ["a shell by a rule that asks", [user(bash("*", "ask"))], shell, 403],
  ["a shell by a rule that denies", [user(bash("*", "deny"))], shell, 403],
  ["a shell if some command is denied", [user(bash("*", "allow"), bash("rm *", "deny"))], shell, 403],
  ["a shell if some command is asked about", [user(bash("*", "allow"), bash("rm *", "ask"))], shell, 403],
  [
    "a shell by a rule for it alone",
    [user(bash("*", "ask"), bash("sh", "allow"), bash("/bin/sh", "allow"))],
    shell,
    403,
  ],
  ["a shell by a project's rule", [project(bash("*", "allow"))], shell, 403],
  ["a shell that a project denies", [user(bash("*", "allow")), project(bash("*", "deny"))], shell, 403],
  ["a named shell by the defaults", [], { command: "bash" }, 403],
  ["a login shell by the defaults", [], { command: "/bin/sh", args: ["-l"] }, 403],
  ["a program that reads its program by the defaults", [], { command: "env", args: ["sh"] }, 403],
  ["a command by the defaults", [], log, 200],
  ["a command that a rule asks about", [user(bash("git *", "ask"))], log, 403],
  ["a command that a rule denies", [user(bash("git *", "deny"))], log, 403],
  ["a denied command of a shell", [user(bash("rm *", "deny"))], { command: "sh", args: ["-c", "rm x"] }, 403],
  [
    "a program whose name looks like an assignment",
    [user(bash("*", "ask"), bash("git *", "allow"))],
    { command: "A=/../tool", args: ["git", "log"] },
    403,
  ],
  ["an allowed command with a variable that changes it", [], { ...log, env: { LD_PRELOAD: "/tmp/x.so" } }, 403],
  ["a command in a directory outside of the project", [], { ...log, cwd: "/etc" }, 403],
  ["a shell outside of the project", [user(bash("*", "allow"))], { cwd: "/etc" }, 403],
])("judges %s", async (_what, permission, body, status) => {
  const server = await terminalServer({ permission })
  const answer = await server.send("POST", "/pty", body)
  expect(answer.status).toBe(status)
  if (status === 403) {
    expect(JSON.stringify(answer.value)).toContain("in your own configuration")
    expect((await server.send("GET", "/pty")).value).toEqual([])
  }
})

it("names the rule that decides and what to set", async () => {
  const message = async (permission: readonly PermissionScope[], body: object) => {
    const server = await terminalServer({ permission })
    return (await server.send("POST", "/pty", body)).value as { name: string; data: { message: string } }
  }
  expect(await message([user(bash("git *", "deny"))], log)).toEqual({
    name: "Forbidden",
    data: {
      message: `A terminal with "git log" is not opened: the rule "bash": { "git *": "deny" } of the user configuration denies it. Set "permission": { "bash": "allow" } in your own configuration, not in that of the project.`,
    },
  })
  expect(JSON.stringify(await message([], shell))).toContain("A terminal with a shell is not opened: ")
})

it("takes the user's shell for a shell, whatever its name is", async () => {
  const server = await terminalServer({ permission: [], host: { shell: "/bin/cat" } })
  expect((await server.send("POST", "/pty", { command: "/bin/cat" })).status).toBe(200)
  expect((await server.send("POST", "/pty", {})).status).toBe(403)
})

it.each([[[]], [["-l"]]])("takes a link to a shell for a shell, with the arguments %j", async (args) => {
  const server = await terminalServer({ permission: [] })
  await symlink("/bin/sh", join(server.directory, "tool"))
  expect(await server.send("POST", "/pty", { command: "./tool", args })).toMatchObject({
    status: 403,
    value: { data: { message: expect.stringMatching(/shell|reads its script from the input/) } },
  })
  expect((await server.send("POST", "/pty", { command: "./tool", args: ["-c", "exit"] })).status).toBe(200)
})

it("opens none where terminals are refused", async () => {
  const server = await terminalServer({ host: { refusal: 'The sandbox. Set "sandbox": false.' } })
  expect(await server.send("POST", "/pty", log)).toMatchObject({
    status: 403,
    value: { data: { message: expect.stringContaining('Set "sandbox": false.') } },
  })
})

it("lets only clients with a credential in, on this host, from these pages", async () => {
  const server = await terminalServer({ origins: ["https://app.example"] })
  const { id } = await server.open({ command: "cat" })
  const { host } = new URL(server.address)
  const path = `/pty/${id}/connect`
  const attempt = async (headers: Record<string, string>, at = path) => {
    const client = await terminalSocket(server.address, at, headers).catch((error: Error) => error.message)
    if (typeof client === "string") return client
    client.socket.terminate()
    return "open"
  }
  const basic = `Basic ${Buffer.from(`opencode:${withToken.authorization.slice(7)}`).toString("base64")}`
  expect(await attempt(withToken)).toBe("open")
  expect(await attempt({ authorization: basic })).toBe("open")
  expect(await attempt({ ...withToken, origin: "https://app.example" })).toBe("open")
  expect(await attempt({ ...withToken, origin: `http://${host}` })).toBe("open")
  expect(await attempt({})).toBe("refused with 401")
  expect(await attempt({ authorization: "Bearer wrong" })).toBe("refused with 401")
  expect(await attempt({ ...withToken, host: "evil.example" })).toBe("refused with 403")
  expect(await attempt({ ...withToken, origin: "https://evil.example" })).toBe("refused with 403")
  expect(await attempt({ ...withToken, origin: "null" })).toBe("refused with 403")
  expect(await attempt({}, `${path}?ticket=guessed`)).toBe("refused with 403")
  expect(await attempt({}, `${path}?ticket=`)).toBe("refused with 403")
  expect(await attempt(withToken, "/pty/pty_unknown/connect")).toBe("refused with 404")
  expect(await attempt(withToken, "/event")).toBe("refused with 404")
  expect(await attempt({}, "/pty/pty_unknown/connect")).toBe("refused with 401")
})

it("closes the connection of a refused client that keeps its side open", async () => {
  const server = await terminalServer()
  const socket = connect({ port: Number(new URL(server.address).port), host: "127.0.0.1", allowHalfOpen: true })
  const { promise: closed, resolve: close } = Promise.withResolvers<string | undefined>()
  socket.on("error", ({ code }: NodeJS.ErrnoException) => close(code))
  const head = ["GET /pty/pty_x/connect HTTP/1.1", `Host: ${new URL(server.address).host}`]
  socket.write([...head, "Connection: Upgrade", "Upgrade: websocket", "", ""].join("\r\n"))
  socket.resume()
  await once(socket, "end")
  const writes = setInterval(() => socket.write("x"), 10)
  onTestFinished(() => clearInterval(writes))
  expect(await closed).toMatch(/^(?:EPIPE|ECONNRESET)$/)
})

async function ticketFor(server: Awaited<ReturnType<typeof terminalServer>>, id: string): Promise<Ticket> {
  return (await server.send("POST", `/pty/${id}/connect-token`)).value
}

it("lets a client with a ticket in once, to its terminal, not from foreign pages", async () => {
  const server = await terminalServer()
  const { id } = await server.open({ command: "cat" })
  const { id: other } = await server.open({ command: "cat" })
  const connect = (to: string, ticket: string, headers = {}) => {
    return terminalSocket(server.address, `/pty/${to}/connect?ticket=${ticket}`, headers)
  }
  const { ticket, expires_in } = await ticketFor(server, id)
  expect(expires_in).toBe(60)
  const client = await connect(id, ticket)
  client.socket.send("meow\n")
  await client.shows("meow")
  await expect(connect(id, ticket)).rejects.toThrow("refused with 403")
  await expect(connect(id, ticket, withToken)).rejects.toThrow("refused with 403")

  await expect(connect(other, (await ticketFor(server, id)).ticket)).rejects.toThrow("refused with 403")
  const fresh = (await ticketFor(server, id)).ticket
  await expect(connect(id, fresh, { origin: "https://evil.example" })).rejects.toThrow("refused with 403")
  expect((await server.send("POST", "/pty/pty_unknown/connect-token")).status).toBe(404)
  const answer = await fetch(`${server.address}/pty/${id}/connect-token`, { method: "POST" })
  expect(answer.status).toBe(401)
})

it("refuses a ticket after its time", async () => {
  const server = await terminalServer({ limits: { ticketMs: 30 } })
  const { id } = await server.open({ command: "cat" })
  const { ticket } = await ticketFor(server, id)
  await delay(60)
  await expect(terminalSocket(server.address, `/pty/${id}/connect?ticket=${ticket}`, {})).rejects.toThrow(
    "refused with 403",
  )
})

it("answers clients that offer HTTP/2, and clients that send no WebSocket", async () => {
  const server = await terminalServer()
  const { id } = await server.open({ command: "cat" })
  const status = async (path: string, headers: Record<string, string>) => {
    const sent = request(`${server.address}${path}`, { headers: { ...withToken, ...headers } })
    sent.end()
    return new Promise((resolve, reject) => {
      sent.on("response", (response) => resolve(response.resume().statusCode))
      sent.on("error", reject)
    })
  }
  expect(await status("/path", { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c" })).toBe(200)
  expect(await status(`/pty/${id}/connect`, {})).toBe(400)
})
