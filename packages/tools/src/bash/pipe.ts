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

/**
 * A pipe of the operating system. Node gives its children sockets, which they cannot open as /dev/stderr, and one for
 * each stream, which loses the order between them. Made from a named pipe whose name is gone at once.
 */
export async function createPipe(env: Readonly<Record<string, string>>): Promise<Pipe> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-"))
  try {
    const path = join(directory, "output")
    await promisify(execFile)("mkfifo", ["-m", "600", path], { env })
    // In this order neither waits for its other end.
    const end = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const reader = new Socket({ fd: end, readable: true, writable: false })
    const writer = openSync(path, constants.O_WRONLY)
    return { reader, writer, closeWriter: () => closeSync(writer) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
