import { SessionBusyError, type SessionID } from "@pawl/core"
import type { LeaseHolder } from "@pawl/core/storage"
import type { ServerHost } from "./host.ts"

/** Returns the holder of a session that another process works on. */
export async function otherRun(
  { leaseHolder }: Pick<ServerHost, "leaseHolder">,
  sessionID: SessionID,
): Promise<LeaseHolder | undefined> {
  const holder = await leaseHolder?.(sessionID)
  return holder && !(holder.isAlive && holder.process?.pid === process.pid) ? holder : undefined
}

/** Throws SessionBusyError if another process works on the session: its run cannot be ended from here. */
export async function requireNoOtherRun(host: Pick<ServerHost, "leaseHolder">, sessionID: SessionID): Promise<void> {
  const holder = await otherRun(host, sessionID)
  if (!holder) return
  const error = new SessionBusyError(sessionID, holder)
  error.message += ` Or end it with: pawl session abort ${sessionID}`
  throw error
}
