import type { Server } from "node:http"
import net, { type AddressInfo, isIP } from "node:net"
import { UnavailableError } from "../unavailable.ts"

/**
 * Has a server listen before this returns, as Bun does: whoever starts it reads its port at once. `hostname`: an IP
 * address. Throws where the place is taken or cannot be had.
 */
export function listenNow(server: Server, hostname: string, port: number): AddressInfo {
  // Node's own way to listen tells the port only later.
  const createHandle: unknown = Reflect.get(net, "_createServerHandle")
  if (typeof createHandle !== "function") throw new UnavailableError("Bun.serve")
  const handle: unknown = Reflect.apply(createHandle, net, [hostname, port, isIP(hostname), -1])
  // It is told below; later ones end nothing.
  server.on("error", () => undefined)
  if (typeof handle === "object") server.listen(handle)
  const address = server.address()
  if (address === null || typeof address === "string") {
    const error = new Error(`Bun.serve cannot listen at ${hostname}:${port}. Is the port in use?`)
    throw Object.assign(error, { code: "EADDRINUSE" })
  }
  return address
}
