import type { Session } from "@pawl/core/storage"
import { toColumn, toSearchColumn } from "./column.ts"

/**
 * Columns of a session for `put_listing`: `parent_id`, `project_id`, `directory`, `title`, `archived` and `boundary`.
 */
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

/** Returns a condition that compares the hash first, since only the hash is indexed. */
export function sameDirectory(place: string): string {
  return `md5(l.directory) = md5(${place}) AND l.directory = ${place}`
}
