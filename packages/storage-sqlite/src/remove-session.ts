import type { SessionID } from "@pawl/core"
import { toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { lastKey } from "./record.ts"

/** Removes the session and all below it. Their ids stay under new keys, by which watchers learn of the removal. */
export function removeSessionTree(connection: Connection, id: SessionID): void {
  const sessions = connection
    .statement(
      "WITH RECURSIVE tree (key, id) AS (SELECT key, id FROM session WHERE id = ? " +
        "UNION SELECT session.key, session.id FROM session JOIN tree ON session.parent_id = tree.id) SELECT key, id FROM tree",
    )
    .all(toColumn(id)) as { key: number; id: string }[]
  let key = lastKey(connection)
  for (const session of sessions) {
    connection
      .statement("INSERT INTO removed_session (key, id, session) VALUES (?, ?, ?)")
      .run(++key, session.id, session.key)
    // Records, chunks and the lease go with it.
    connection.statement("DELETE FROM session WHERE key = ?").run(session.key)
  }
}
