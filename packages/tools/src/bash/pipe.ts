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
  /** File descriptor for children to inherit. */
  readonly writer: number
  /** Closes this process's write end. The reader ends when no child holds the pipe any more. */
  closeWriter(): void
}

// mkfifo takes a few milliseconds. If it fails, the command runs without a pipe.
const MKFIFO_MS = 1000

/**
 * Creates a pipe of the operating system. Node's own streams are sockets, which children cannot open as /dev/stderr,
 * and separate ones, which lose the order of stdout and stderr. Uses a named pipe, deleted at once, made by mkfifo from
 * this process's PATH.
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

/** Opens both ends of the named pipe at `path`. Closes the first if the second cannot be opened. */
export function openPipe(path: string, open: typeof openSync = openSync): Pipe {
  // In this order neither call blocks.
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
