import type { Session } from "@pawl/core"
import { noTokens, type Spent } from "@pawl/core/record"

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
  const { id, share } = session
  const model = openCodeModelRef(session)
  const shared = Object.fromEntries(Object.entries(session).filter(([key]) => !OWN.includes(key)))
  return {
    ...(shared as Pick<Session, "id" | "projectID" | "directory" | "title" | "time">),
    slug: id.slice(4).toLowerCase(),
    ...(model ? { model } : {}),
    ...(share ? { share: { url: share.url } } : {}),
  }
}

export function openCodeModelRef({ model, variant }: Pick<Session, "model" | "variant">) {
  return model && { id: model.modelID, providerID: model.providerID, ...(variant ? { variant } : {}) }
}

/** Usage of a session, without that of the sessions below it. */
export type Totals = Pick<Spent, "cost" | "tokens">

export function openCodeTotals({ cost, tokens }: Totals = { cost: 0, tokens: noTokens }): Totals {
  return { cost, tokens }
}
