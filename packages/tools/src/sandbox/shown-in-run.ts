import { realpath } from "node:fs/promises"
import { isWithin } from "../paths.ts"
import type { Mount } from "./mounts.ts"

const RUN = "/run"
/** Where NixOS keeps what all programs need. */
const SYSTEM = ["/run/current-system", "/run/opengl-driver"]
/** Often a link to a file below `/run` that names the servers for names of hosts. */
const NAME_SERVERS = "/etc/resolv.conf"

/** What commands need of `/run`, of which they see nothing else. */
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
