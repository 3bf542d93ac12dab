import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { sep } from "node:path"

/** Unmounts everything below a directory, so that it can be removed. */
export function unmountBelow(directory: string): void {
  for (const line of readFileSync("/proc/mounts", "utf8").split("\n")) {
    const [, mountPoint = ""] = line.split(" ")
    if (mountPoint.startsWith(directory + sep)) spawnSync("umount", ["--lazy", mountPoint])
  }
}
