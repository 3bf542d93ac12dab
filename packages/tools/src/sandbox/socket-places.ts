import { lstat, readFile, realpath } from "node:fs/promises"

/** More sockets cannot be hidden one by one. */
const MAX_SOCKETS = 1000

/**
 * Returns the real paths of sockets on Linux that other processes may listen on: those of this network namespace, and
 * mounted ones, as in a container. Throws if there are too many.
 */
export async function socketPaths(): Promise<readonly string[]> {
  const [sockets, mounts] = await Promise.all(["/proc/net/unix", "/proc/self/mountinfo"].map(textOf))
  const candidates = new Set([...boundPaths(sockets ?? ""), ...mountPoints(mounts ?? "")])
  const found = await Promise.all([...candidates].map(socketAt))
  const paths = [...new Set(found.filter((path) => path !== undefined))]
  if (paths.length > MAX_SOCKETS) {
    throw new Error(
      `The sandbox cannot hide ${paths.length} sockets of this machine, at most ${MAX_SOCKETS}. Close programs that have opened many, or turn the sandbox off.`,
    )
  }
  return paths
}

/** Address, references, protocol, flags, type, state, inode, path. */
const SOCKET = /^[\da-f]+: \S+ \S+ (?<flags>[\da-f]+) (?<type>[\da-f]+) \S+ +\d+ (?<path>\/.*)$/i
const LISTENS = 0x10000
const DATAGRAMS = 2

/**
 * Returns the paths in `/proc/net/unix` to which others can connect or send. Excludes abstract names, which belong to
 * the network, and relative ones, which cannot be located.
 */
export function boundPaths(table: string): readonly string[] {
  return table.split("\n").flatMap((line) => {
    const { flags = "", type = "", path } = SOCKET.exec(line)?.groups ?? {}
    const isOpen = (Number.parseInt(flags, 16) & LISTENS) !== 0 || Number.parseInt(type, 16) === DATAGRAMS
    return path !== undefined && isOpen ? [decoded(path)] : []
  })
}

/** Returns the mount points in `/proc/self/mountinfo`. Its fifth field has special characters in octal. */
export function mountPoints(table: string): readonly string[] {
  return table.split("\n").flatMap((line) => {
    const path = line.split(" ")[4]
    return path?.startsWith("/") ? [decoded(path.replaceAll(/\\([0-7]{3})/g, characterOf))] : []
  })
}

function characterOf(_: string, octal: string): string {
  return String.fromCharCode(Number.parseInt(octal, 8))
}

/** The tables are read as bytes, because a name may contain any byte. */
function decoded(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8")
}

async function socketAt(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await lstat(real)).isSocket() ? real : undefined
  } catch {
    // The socket is closed, in another mount namespace, or unreachable.
    return undefined
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "latin1").catch(() => undefined)
}
