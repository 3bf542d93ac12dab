import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { setTimeout as delay } from "node:timers/promises"
import type { PermissionScope } from "@pawl/core/permission"
import { createGuardian } from "@pawl/process-guard"
import { builtinTools } from "@pawl/tools"
import { onTestFinished } from "vitest"
import { WebSocket } from "ws"
import { createServer, listen, type ListenOptions, type ServerHost, type ServerOptions } from "../src/index.ts"
import type { TerminalLimits } from "../src/terminals/limits.ts"
import type { Pty } from "../src/terminals/terminal.ts"
import { following } from "./following.ts"
import { serving } from "./serving.ts"

export const TOKEN = "t0ken_of-the-test"
export const withToken = { authorization: `Bearer ${TOKEN}` }

/** The rules of a user who allows all commands. */
export const allowed: readonly PermissionScope[] = [
  { name: "user configuration", rules: [{ permission: "bash", pattern: "*", action: "allow" }] },
]

export interface TerminalServerOptions extends Pick<ServerOptions, "maxIdleMs"> {
  readonly permission?: readonly PermissionScope[]
  readonly limits?: Partial<TerminalLimits>
  readonly host?: Partial<NonNullable<ServerHost["terminals"]>>
  readonly origins?: ListenOptions["origins"]
}

const environment = { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", HOME: "/nonexistent", PS1: "ready> " }

/** A listening server that opens terminals, and follows its events. */
export async function terminalServer(options: TerminalServerOptions = {}) {
  const { permission = allowed, limits, host: more, origins = [], maxIdleMs } = options
  const guardian = createGuardian()
  const closed: string[] = []
  const terminals = { guardian, environment: () => environment, shell: "/bin/sh", ...more }
  const tools = [...builtinTools({ guardian })]
  const serve = await serving({ host: { permission: () => permission, tools: () => tools, terminals } })
  const { directory, host } = serve
  const server = createServer({
    ...{ directory, version: "9.9.9" },
    ...(limits ? { terminalLimits: limits } : {}),
    ...(maxIdleMs === undefined ? {} : { maxIdleMs }),
    open: async (path) => ({ host, close: async () => void closed.push(path) }),
  })
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<string>()
  const done = listen(server, {
    ...{ target: { port: 0 }, token: TOKEN, origins, signal: controller.signal, onListening: resolve },
  })
  const address = await promise
  const stop = async () => {
    controller.abort()
    await done
  }
  onTestFinished(async () => {
    await stop()
    await guardian.close()
    await serve[Symbol.asyncDispose]()
  })
  const send = async (method: string, path: string, body?: object) => {
    const init = { method, headers: withToken, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await fetch(`${address}${path}`, init)
    const text = await response.text()
    return { status: response.status, value: (text === "" ? undefined : JSON.parse(text)) as never }
  }
  return {
    ...{ address, directory, closed, stop, send },
    async events() {
      const response = await fetch(`${address}/event`, { headers: withToken })
      const events = following(response)
      await events.until("server.connected")
      return events
    },
    async open(body: object = {}): Promise<Pty> {
      const { status, value } = await send("POST", "/pty", body)
      if (status !== 200) throw new Error(`No terminal was opened: ${JSON.stringify(value)}`)
      return value
    },
  }
}

export interface TerminalSocket {
  readonly socket: WebSocket
  /** The output in the order of its arrival. */
  readonly text: () => string
  /** Cursors of meta messages, each with the length of the output before it. */
  readonly cursors: readonly { readonly cursor: number; readonly at: number }[]
  /** Resolves when the output contains the text. */
  readonly shows: (text: string) => Promise<void>
  readonly ended: Promise<{ readonly code: number; readonly reason: string }>
}

/** Connects to a terminal. Rejects with the status of an answer that refuses it. */
export async function terminalSocket(
  address: string,
  path: string,
  headers: Record<string, string> = withToken,
): Promise<TerminalSocket> {
  const socket = new WebSocket(`${address.replace("http", "ws")}${path}`, { headers })
  onTestFinished(() => socket.terminate())
  const pieces: string[] = []
  const cursors: { cursor: number; at: number }[] = []
  let length = 0
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    if (isBinary && data[0] === 0) {
      const { cursor } = JSON.parse(data.subarray(1).toString()) as { cursor: number }
      cursors.push({ cursor, at: length })
      return
    }
    pieces.push(data.toString())
    length += pieces.at(-1)?.length ?? 0
  })
  const { promise: ended, resolve } = Promise.withResolvers<{ code: number; reason: string }>()
  socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }))
  const refused = once(socket, "unexpected-response").then(([, response]) => {
    throw new Error(`refused with ${(response as { statusCode: number }).statusCode}`)
  })
  socket.on("error", () => undefined)
  await Promise.race([once(socket, "open"), refused])
  refused.catch(() => undefined)
  return {
    ...{ socket, cursors, ended, text: () => pieces.join("") },
    async shows(wanted) {
      let before = ""
      for (let at = 0; ;) {
        const isOver = socket.readyState === WebSocket.CLOSED
        const recent = before + pieces.slice(at).join("")
        if (recent.includes(wanted)) return
        if (isOver) throw new Error(`The connection ended with: ${recent.slice(-2000)}`)
        at = pieces.length
        before = recent.slice(-wanted.length)
        await delay(5)
      }
    },
  }
}

/** A process that has ended may wait for its parent. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)])
  const state = stdout.toString().trim()
  return state !== "" && !state.startsWith("Z")
}
