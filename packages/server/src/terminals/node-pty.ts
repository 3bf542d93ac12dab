import { NotFoundError } from "@pawl/core"
import { messageOf } from "@pawl/core/tool"
import type { TerminalHost, TerminalLibrary } from "../host.ts"

/** Loads the library of terminals, which is native and exists only for common systems. Rejects with NotFoundError. */
export async function loadTerminalLibrary(host: Pick<TerminalHost, "load">): Promise<TerminalLibrary> {
  try {
    return await (host.load?.() ?? import("@lydell/node-pty"))
  } catch (cause) {
    const why = messageOf(cause).split("\n")[0]
    const system = `${process.platform} on ${process.arch}`
    const error = new NotFoundError(
      `pawl's server has no terminals for ${system}, so this is not offered. @lydell/node-pty cannot be loaded: ${why} Install pawl again with optional dependencies.`,
    )
    error.cause = cause
    throw error
  }
}
