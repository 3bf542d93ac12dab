import { connect } from "node:net"
import type { Network, SocketTarget } from "../src/webfetch/network/network.ts"

export interface RecordedNetwork extends Network {
  /** Each connection that was asked for. */
  readonly targets: readonly SocketTarget[]
  /** Each name that was looked up. */
  readonly lookups: readonly string[]
}

/**
 * A network in which every address leads to one server on loopback. `addresses` stands for the resolver: what a name has, at its first
 * lookup, at its second one and so on; the last answer stays.
 */
export function recordedNetwork(
  port: number,
  addresses: (host: string, lookup: number) => readonly string[],
): RecordedNetwork {
  const targets: SocketTarget[] = []
  const lookups: string[] = []
  return {
    targets,
    lookups,
    async resolve(host) {
      lookups.push(host)
      return addresses(host, lookups.filter((name) => name === host).length)
    },
    connect(target) {
      targets.push(target)
      return connect({ host: "127.0.0.1", port })
    },
  }
}
