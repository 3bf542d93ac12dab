import { stat } from "node:fs/promises"
import { isMissing, isWithin } from "./paths.ts"

/** The kernel serves files below these. `/dev/shm` is shared memory and holds ordinary files. */
const KERNEL_PLACES = ["/dev", "/proc"]
const DISKS = ["/dev/shm"]

/**
 * Rejects unless the real path is a regular file or a directory on a disk. Files below `/proc` and `/dev` are rejected,
 * because reading them may block, show secrets of this process, or have an effect. Opens nothing.
 */
export async function refuseSpecial(target: string, shown: string): Promise<void> {
  if (isKernelPlace(target)) {
    throw new Error(
      `${shown} belongs to the kernel: what stands there is a device, a pipe or a socket, or made up on reading. Use bash for it.`,
    )
  }
  const stats = await stat(target).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (stats && !stats.isFile() && !stats.isDirectory()) {
    throw new Error(`${shown} is a device, a pipe or a socket. Only regular files and directories can be used.`)
  }
}

/** Decides by the path alone, which must be real. */
export function isKernelPlace(target: string): boolean {
  const isBelow = (directories: readonly string[]) => directories.some((directory) => isWithin(directory, target))
  return isBelow(KERNEL_PLACES) && !isBelow(DISKS)
}
