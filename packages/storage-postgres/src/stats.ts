import type { StorageStats } from "@pawl/core/storage"
import { type Connection, LONG_TIMEOUT_MS } from "./connection.ts"

type Counted = StorageStats["records"]["blob"]

interface StatsRow {
  readonly kind: keyof StorageStats["records"]
  readonly count: number
  readonly bytes: number
}

/** Sizes are in the rows' headers, so large values that are stored separately are not read. */
export async function readStats(connection: Connection): Promise<StorageStats> {
  const [rows, [total]] = await Promise.all([
    connection.query<StatsRow>(
      `SELECT CASE WHEN message_id = '' THEN 'session' WHEN part_id = '' THEN 'message' ELSE 'part' END AS kind,
         count(*) AS count, sum(octet_length(data))::bigint AS bytes
       FROM pawl.record r
       WHERE data IS NOT NULL AND NOT EXISTS (SELECT FROM pawl.removed x WHERE x.session = r.session) GROUP BY 1
       UNION ALL SELECT 'blob', count(*), coalesce(sum(size), 0)::bigint FROM pawl.blob`,
      [],
      { timeout: LONG_TIMEOUT_MS },
    ),
    connection.query<{ bytes: number }>(
      `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'`,
      [connection.schema],
    ),
  ])
  const counted = (kind: StatsRow["kind"]): Counted => {
    const row = rows.find((some) => some.kind === kind)
    return { count: row?.count ?? 0, bytes: row?.bytes ?? 0 }
  }
  return {
    records: {
      session: counted("session"),
      message: counted("message"),
      part: counted("part"),
      blob: counted("blob"),
    },
    totalBytes: total?.bytes ?? 0,
  }
}
