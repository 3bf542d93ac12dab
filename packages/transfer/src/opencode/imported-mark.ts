import type { Session } from "@pawl/core/storage"
import { isObject, without } from "../json.ts"

// `metadata.opencode.imported` holds the hash of the session as it was imported, without this field. The next import
// uses it to detect changes on either side.

export function importedHash({ metadata }: Session): string | undefined {
  const opencode = metadata?.["opencode"]
  return isObject(opencode) && typeof opencode["imported"] === "string" ? opencode["imported"] : undefined
}

export function withImportedHash(session: Session, hash: string): Session {
  const { opencode } = session.metadata ?? {}
  return {
    ...session,
    metadata: { ...session.metadata, opencode: { ...(isObject(opencode) ? opencode : {}), imported: hash } },
  }
}

export function withoutImportedHash(session: Session): Session {
  const { opencode } = session.metadata ?? {}
  if (!isObject(opencode)) return session
  return { ...session, metadata: { ...session.metadata, opencode: without(opencode, ["imported"]) } }
}
