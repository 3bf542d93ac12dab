import type { StorageProblem } from "@pawl/core/storage"
import { fromColumn } from "../column.ts"
import type { Connection } from "../connection.ts"
import { derivedProblem } from "../damage.ts"
import { measureSession, type Sizes } from "../stats.ts"
import { yieldTurn } from "../turn.ts"

/** Yields sessions that are in lists but have no record. */
export async function* verifySessions(connection: Connection): AsyncGenerator<StorageProblem> {
  const rows = await connection.inspect(
    () =>
      connection
        .statement(
          "SELECT id FROM session WHERE NOT EXISTS " +
            "(SELECT 1 FROM record WHERE session = session.key AND message_id = '' AND part_id = '' AND data IS NOT NULL)",
        )
        .all() as { id: string }[],
  )
  for (const { id } of rows) {
    const subject = fromColumn(id)
    const next = "`pawl storage rebuild` makes one of what lists know."
    yield { kind: "damaged", subject, message: `Session ${subject} in ${connection.path} has lost its record. ${next}` }
  }
}

/** Returns the sizes that are up to date. */
export async function* verifySizes(connection: Connection, signal?: AbortSignal): AsyncGenerator<StorageProblem> {
  for (let after = 0; ; await yieldTurn(signal)) {
    const checked = await connection.inspect(() => checkNext(connection, after))
    if (!checked) return
    if (!checked.isRight)
      yield derivedProblem("session_size", `The size of session ${checked.id} in ${connection.path}`)
    after = checked.session
  }
}

function checkNext(
  connection: Connection,
  after: number,
): { session: number; id: string; isRight: boolean } | undefined {
  const known = connection
    .statement(
      "SELECT session_size.*, session.id AS id FROM session_size JOIN session ON session.key = session " +
        "WHERE revision = (SELECT max(revision) FROM record WHERE record.session = session.key) AND session.key > ? " +
        "ORDER BY session.key LIMIT 1",
    )
    .get(after) as (Sizes & { session: number; id: string }) | undefined
  if (!known) return undefined
  const real = Object.entries(measureSession(connection, known.session))
  const isRight = real.every(([name, value]) => known[name as keyof Sizes] === value)
  return { session: known.session, id: fromColumn(known.id), isRight }
}
