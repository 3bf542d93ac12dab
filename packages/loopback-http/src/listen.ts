import { once } from "node:events"
import { chmod, lstat, mkdir, rm } from "node:fs/promises"
import type { Server } from "node:http"
import { connect } from "node:net"
import { dirname } from "node:path"

/** The address on which a server listens. `port` 0: any free port of 127.0.0.1. `socket`: absolute path of a unix socket. */
export type ListenTarget = { readonly port: number } | { readonly socket: string }

const LOOPBACK = "127.0.0.1"

/**
 * Makes a server listen. Only its user can connect to a socket; one that a dead process left is replaced. Rejects with
 * the reason and the next step if another server listens there.
 */
export async function listenOn(server: Server, target: ListenTarget): Promise<void> {
  if ("port" in target)
    return listen(server, { port: target.port, host: LOOPBACK }, `Port ${target.port} of ${LOOPBACK}`)
  const { socket } = target
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 })
  await removeLeft(socket)
  await listen(server, { path: socket }, `The socket ${socket}`)
  await chmod(socket, 0o600)
}

async function listen(server: Server, options: object, name: string): Promise<void> {
  try {
    server.listen(options)
    await once(server, "listening")
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`${name} cannot be listened on: ${REASONS[code ?? ""] ?? message}. Name another one, or none.`, {
      cause: error,
    })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "it is taken",
  EACCES: "it is not for you to take",
}

/** Removes a socket that no process listens on. Leaves anything else alone. */
async function removeLeft(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined)
  if (!stats) return
  if (!stats.isSocket()) throw new Error(`${path} is in the way, and is not a socket. Name another path.`)
  if (!(await isListening(path))) await rm(path, { force: true })
}

async function isListening(path: string): Promise<boolean> {
  const client = connect(path)
  try {
    await once(client, "connect")
    return true
  } catch {
    return false
  } finally {
    client.destroy()
  }
}
