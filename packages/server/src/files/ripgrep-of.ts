import type { ServerHost } from "../host.ts"
import { RequestError } from "../request-error.ts"

/** Returns the path of ripgrep. Rejects with RequestError if the host has none. */
export async function ripgrepOf(host: Pick<ServerHost, "ripgrep">): Promise<string> {
  if (!host.ripgrep) throw new RequestError("Params", "Files cannot be searched: this host has no ripgrep.")
  return host.ripgrep()
}
