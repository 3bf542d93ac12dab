import type { Session } from "@pawl/core/storage"
import { toColumn, toSearchColumn } from "./column.ts"

/** `parent_id`, `project_id`, `directory`, `title`, `archived` and `boundary` of a session, as `put_listing` takes them. */
export type ListingColumns = readonly (string | null)[]

export function listingColumns(session: Session): ListingColumns {
  return [
    session.parentID === undefined ? null : toColumn(session.parentID),
    toColumn(session.projectID),
    toColumn(session.directory),
    toSearchColumn(session.title),
    String(session.time.archived !== undefined),
    session.boundary === undefined ? null : toColumn(session.boundary),
  ]
}

/** Compares the hash first, which the index has. */
export function sameDirectory(place: string): string {
  return `md5(l.directory) = md5(${place}) AND l.directory = ${place}`
}
