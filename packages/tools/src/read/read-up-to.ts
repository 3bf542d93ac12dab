import type { FileHandle } from "node:fs/promises"

/** Reads a whole file; undefined if it has more than `max` bytes, also if it grew during the read. */
export async function readUpTo(handle: FileHandle, max: number): Promise<Buffer | undefined> {
  const { size } = await handle.stat()
  if (size > max) return undefined
  const parts: Buffer[] = []
  let length = 0
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, length)
    if (bytesRead === 0) return Buffer.concat(parts)
    length += bytesRead
    if (length > max) return undefined
    parts.push(buffer.subarray(0, bytesRead))
  }
}
