import { stat } from "node:fs/promises"
import { isMissing, isWithin } from "./paths.ts"

/** Below these the kernel answers, not a disk. Shared memory is a disk like any other. */
const KERNEL_PLACES = ["/dev", "/proc"]
const DISKS = ["/dev/shm"]

/**
 * Rejects for a real path that is no file or directory of a disk: a device, a pipe, a socket, and whatever stands below
 * `/proc` and `/dev`, where reading may block, show this process' own secrets, or have an effect. Opens nothing.
 */
export async function refuseSpecial(target: string, shown: string): Promise<void> {
  if (isKernelPlace(target)) {
    throw new Error(
      `${shown} belongs to the kernel: what stands there is a device, a pipe or a socket, or made up on reading. Use bash for it.`,
    )
  }
  const found = await stat(target).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (found && !found.isFile() && !found.isDirectory()) {
    throw new Error(`${shown} is a device, a pipe or a socket. Only regular files and directories can be used.`)
  }
}

/** By the path alone; one that is real. */
export function isKernelPlace(target: string): boolean {
  const isBelow = (places: readonly string[]) => places.some((place) => isWithin(place, target))
  return isBelow(KERNEL_PLACES) && !isBelow(DISKS)
}
