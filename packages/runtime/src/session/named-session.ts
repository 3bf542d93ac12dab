import type { Session, Storage } from "@pawl/core/storage"
import type { RuntimeHost } from "../host.ts"
import { workDirectory } from "./work-directory.ts"
import { findSession } from "./find-session.ts"

/** Returns the session with this id. Default: the newest of the directory. Throws UsageError if it does not exist. */
export async function namedSession(
  storage: Storage,
  host: Pick<RuntimeHost, "directory">,
  { id, directory }: { readonly id: string | undefined; readonly directory?: string | undefined },
): Promise<Session> {
  if (id !== undefined) return findSession(storage, { type: "id", id }, host.directory)
  return findSession(storage, { type: "newest" }, await workDirectory(host, directory))
}
