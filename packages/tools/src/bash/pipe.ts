import { execFile } from "node:child_process"
import { closeSync, constants, openSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { promisify } from "node:util"

export interface Pipe {
  readonly reader: Readable
  /** A file descriptor for children to inherit. */
  readonly writer: number
  /** Gives up the writer's end here: the reader ends once no child holds it any more. */
  closeWriter(): void
}

// It takes a few milliseconds; without a pipe the command runs all the same.
const MKFIFO_MS = 1000

/**
 * A pipe of the operating system. Node gives its children sockets, which they cannot open as /dev/stderr, and one for
 * each stream, which loses the order between them. Made from a named pipe whose name is gone at once, by the mkfifo on
 * this process's own PATH.
 */
export async function createPipe(signal: AbortSignal): Promise<Pipe> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-"))
  try {
    const path = join(directory, "output")
    const options = { env: { PATH: process.env["PATH"] }, timeout: MKFIFO_MS, killSignal: "SIGKILL", signal } as const
    await promisify(execFile)("mkfifo", ["-m", "600", path], options)
    return openPipe(path)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Both ends of the named pipe at `path`; neither stays open when one cannot be opened. */
export function openPipe(path: string, open: typeof openSync = openSync): Pipe {
  // In this order neither waits for its other end.
  const end = open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const writer = open(path, constants.O_WRONLY)
    const reader = new Socket({ fd: end, readable: true, writable: false })
    return { reader, writer, closeWriter: () => closeSync(writer) }
  } catch (error) {
    closeSync(end)
    throw error
  }
}
