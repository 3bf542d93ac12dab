import { lstat, readFile, realpath } from "node:fs/promises"

/** More than this cannot be hidden one by one. */
const MAX_SOCKETS = 1000

/**
 * Real paths of the sockets that a process of this machine may have opened for others, on Linux: those of this network
 * namespace, and those that are mounted, as into a container. Throws when there are too many of them.
 */
export async function socketPlaces(): Promise<readonly string[]> {
  const [sockets, mounts] = await Promise.all(["/proc/net/unix", "/proc/self/mountinfo"].map(textOf))
  const candidates = new Set([...boundPaths(sockets ?? ""), ...mountPoints(mounts ?? "")])
  const found = await Promise.all([...candidates].map(socketAt))
  const places = [...new Set(found.filter((path) => path !== undefined))]
  if (places.length > MAX_SOCKETS) {
    throw new Error(
      `The sandbox cannot hide ${places.length} sockets of this machine, at most ${MAX_SOCKETS}. Close programs that have opened many, or turn the sandbox off.`,
    )
  }
  return places
}

/** Address, references, protocol, flags, type, state, inode, path. */
const SOCKET = /^[\da-f]+: \S+ \S+ (?<flags>[\da-f]+) (?<type>[\da-f]+) \S+ +\d+ (?<path>\/.*)$/i
const LISTENS = 0x10000
const DATAGRAMS = 2

/**
 * Of `/proc/net/unix`, where others can connect or send to. Without abstract names, which belong to the network, and
 * relative ones, which cannot be placed.
 */
export function boundPaths(table: string): readonly string[] {
  return table.split("\n").flatMap((line) => {
    const { flags = "", type = "", path } = SOCKET.exec(line)?.groups ?? {}
    const isOpen = (Number.parseInt(flags, 16) & LISTENS) !== 0 || Number.parseInt(type, 16) === DATAGRAMS
    return path !== undefined && isOpen ? [decoded(path)] : []
  })
}

/** Of `/proc/self/mountinfo`, whose fifth field has special characters as octal numbers. */
export function mountPoints(table: string): readonly string[] {
  return table.split("\n").flatMap((line) => {
    const path = line.split(" ")[4]
    return path?.startsWith("/") ? [decoded(path.replaceAll(/\\([0-7]{3})/g, characterOf))] : []
  })
}

function characterOf(_: string, octal: string): string {
  return String.fromCharCode(Number.parseInt(octal, 8))
}

/** The tables are read byte by byte, since a name may hold any. */
function decoded(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8")
}

async function socketAt(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await lstat(real)).isSocket() ? real : undefined
  } catch {
    // Closed, of another mount namespace, or not to be reached.
    return undefined
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "latin1").catch(() => undefined)
}
