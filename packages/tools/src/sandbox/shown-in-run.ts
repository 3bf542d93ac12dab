import { realpath } from "node:fs/promises"
import { isWithin } from "../paths.ts"
import type { Mount } from "./mounts.ts"

const RUN = "/run"
/** NixOS keeps system libraries and programs there. */
const SYSTEM = ["/run/current-system", "/run/opengl-driver"]
/** Often a link to a file below `/run`. */
const NAME_SERVERS = "/etc/resolv.conf"

/** Returns the parts of `/run` that commands need; the rest is hidden. */
export async function shownInRun(network: boolean): Promise<readonly Mount[]> {
  const system = SYSTEM.map(async (path): Promise<Mount[]> => {
    const from = await realpath(path).catch(() => undefined)
    return from === undefined ? [] : [{ type: "read-only", path, from }]
  })
  const nameServers = network ? await realpath(NAME_SERVERS).catch(() => undefined) : undefined
  const isHidden = nameServers !== undefined && isWithin(RUN, nameServers)
  return [
    ...(await Promise.all(system)).flat(),
    ...(isHidden ? [{ type: "read-only", path: nameServers } as const] : []),
  ]
}
