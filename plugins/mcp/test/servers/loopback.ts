// Loaded before a server that listens wherever it likes: it listens on a free port of loopback, and says which.
import { Server } from "node:net"

// oxlint-disable-next-line typescript/unbound-method -- it is called on each server
const listen = Server.prototype.listen
Server.prototype.listen = function (this: Server): Server {
  this.once("listening", () => process.stdout.write(`port ${(this.address() as { port: number }).port}\n`))
  return Reflect.apply(listen, this, [0, "127.0.0.1"]) as Server
} as typeof listen
