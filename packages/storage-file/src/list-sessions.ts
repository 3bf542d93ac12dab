import type { Session, SessionQuery } from "@pawl/core/storage"
import { recoverInherited } from "./open-directory.ts"
import { readSessionFile } from "./record-file.ts"
import { headOf, type SessionHead, type SessionIndex } from "./session-index.ts"
import type { Store } from "./store.ts"

/** Time to work before the event loop runs other work. */
const SLICE_MS = 20

/**
 * Yields sessions, newest first. Reads the file of a session only if the index cannot exclude it, and only when the
 * caller asks for the next one.
 */
export async function* listSessions(
  store: Store,
  index: SessionIndex,
  query: SessionQuery = {},
): AsyncGenerator<Session> {
  await recoverInherited(store)
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let began = performance.now()
  const isNarrow = [query.directory, query.projectID, query.parentID, query.archived, query.title].some(
    (condition) => condition !== undefined,
  )
  for (const file of index.files()) {
    if (left <= 0) break
    if (query.after !== undefined && file.id <= query.after) continue
    if (performance.now() - began > SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve))
      began = performance.now()
    }
    const head = isNarrow ? index.head(file) : undefined
    if (isNarrow && !(head && matches(head, query))) continue
    const session = readSessionFile(store, file.path, file.id)?.value
    if (!session || !matches(headOf(session), query)) continue
    left--
    yield session
  }
  if (isNarrow) index.save()
}

function matches(head: SessionHead, query: SessionQuery): boolean {
  const { directory, projectID, parentID, archived, title } = query
  return (
    (directory === undefined || head.directory === directory) &&
    (projectID === undefined || head.projectID === projectID) &&
    (parentID === undefined || head.parentID === (parentID ?? undefined)) &&
    (archived === undefined || head.isArchived === archived) &&
    (title === undefined || head.title.toLowerCase().includes(title.toLowerCase()))
  )
}
