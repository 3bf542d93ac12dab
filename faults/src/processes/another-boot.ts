import { spawnSync } from "node:child_process"
import { writeFile } from "node:fs/promises"

const BOOT_ID = "/proc/sys/kernel/random/boot_id"
const SCRIPT = `mount --bind "$0" ${BOOT_ID} && exec "$@"`

/**
 * Returns a command prefix that simulates another boot of this machine, so that a storage assumes a restart since its
 * last use. Different numbers are different boots. Empty if the system does not allow it. Writes `file`.
 */
export async function inAnotherBoot(file: string, number = 0): Promise<readonly string[]> {
  await writeFile(file, `00000000-0000-4000-8000-${String(number).padStart(12, "0")}\n`)
  const options = process.getuid?.() === 0 ? "--mount" : "--mount --map-root-user"
  const wrapper = ["unshare", ...options.split(" "), "--", "sh", "-c", SCRIPT, file]
  const [command = "", ...args] = wrapper
  return spawnSync(command, [...args, "true"]).status === 0 ? wrapper : []
}
