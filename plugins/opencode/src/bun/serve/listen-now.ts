import type { Server } from "node:http"
import net, { type AddressInfo, isIP } from "node:net"
import { UnavailableError } from "../unavailable.ts"

/**
 * Makes a server listen before this function returns, as Bun does, because callers read the port immediately.
 * `hostname` must be an IP address. Throws if the address is in use or not available.
 */
export function listenNow(server: Server, hostname: string, port: number): AddressInfo {
  // Node's public function reports the port only later.
  const createHandle: unknown = Reflect.get(net, "_createServerHandle")
  if (typeof createHandle !== "function") throw new UnavailableError("Bun.serve")
  const handle: unknown = Reflect.apply(createHandle, net, [hostname, port, isIP(hostname), -1])
  // The failure is reported below. Later errors must not end the process.
  server.on("error", () => undefined)
  if (typeof handle === "object") server.listen(handle)
  const address = server.address()
  if (address === null || typeof address === "string") {
    const error = new Error(`Bun.serve cannot listen at ${hostname}:${port}. Is the port in use?`)
    throw Object.assign(error, { code: "EADDRINUSE" })
  }
  return address
}
