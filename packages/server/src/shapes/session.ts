import type { Session } from "@pawl/core"

export interface OpenCodeSession {
  readonly id: string
  readonly projectID: string
  readonly directory: string
  readonly title: string
  readonly time: Session["time"]
  readonly [field: string]: unknown
}

const OWN = ["boundary", "pins", "approvals", "delegation", "model", "variant", "share", "undo", "undoNotice"]

/** Converts a session to OpenCode's form. */
export function openCodeSession(session: Session): OpenCodeSession {
  const { id, model, variant, share } = session
  const shared = Object.fromEntries(Object.entries(session).filter(([key]) => !OWN.includes(key)))
  return {
    ...(shared as Pick<Session, "id" | "projectID" | "directory" | "title" | "time">),
    slug: id.slice(4).toLowerCase(),
    ...(model ? { model: { id: model.modelID, providerID: model.providerID, ...(variant ? { variant } : {}) } } : {}),
    ...(share ? { share: { url: share.url } } : {}),
  }
}
