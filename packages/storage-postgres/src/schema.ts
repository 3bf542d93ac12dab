import { StorageError } from "@pawl/core/storage"
import { commitFunction, listingFunction, restoreListingFunction } from "./commit-function.ts"
import { type Connection, LONG_TIMEOUT_MS } from "./connection.ts"
import { deriveFunction } from "./derive-function.ts"
import { quoted } from "./identifier.ts"
import { purgeFunction, removedTable, removeFunction } from "./remove-functions.ts"
import { directoryIndex, leaseProcess, tables } from "./tables.ts"

const functions = [
  listingFunction,
  restoreListingFunction,
  commitFunction,
  removeFunction,
  purgeFunction,
  deriveFunction,
].join("")

/**
 * Each migration updates the schema from the version with its index to the next. The last one replaces all functions by
 * their current version.
 */
const migrations: readonly string[] = [tables, removedTable + directoryIndex, leaseProcess + functions]

/** The first version with xid8 and pg_snapshot. */
const OLDEST_SERVER = 130_000

interface Found {
  readonly server: number
  readonly encoding: string
  readonly has_schema: boolean
  readonly has_version: boolean
  readonly has_tables: boolean
}

/**
 * Creates or updates the tables. Concurrent processes wait for each other. Does not change a schema of a newer version
 * or of another program.
 */
export async function ensureSchema(connection: Connection): Promise<void> {
  const { location, schema } = connection
  const [found] = await connection.query<Found>(
    "SELECT current_setting('server_version_num')::int AS server, current_setting('server_encoding') AS encoding, " +
      "EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS has_schema, " +
      "EXISTS (SELECT FROM pg_tables WHERE schemaname = $1) AS has_tables, " +
      "EXISTS (SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'pawl_schema') AS has_version",
    [schema],
  )
  if (!found) throw new StorageError(`${location} did not say what it is. Check that it is a PostgreSQL server.`)
  if (found.server < OLDEST_SERVER) {
    throw new StorageError(`${location} runs PostgreSQL ${Math.floor(found.server / 10_000)}. Use version 13 or later.`)
  }
  if (found.encoding !== "UTF8") {
    throw new StorageError(`${location} is encoded in ${found.encoding}. Use a database that was created with UTF8.`)
  }
  if (found.has_tables && !found.has_version) {
    throw new StorageError(
      `The schema "${schema}" of ${location} holds another program's tables. Choose another with ?schema=NAME.`,
    )
  }
  const version = found.has_version ? await versionOf(connection) : 0
  if (version > migrations.length) throw newerError(connection, version)
  if (version < migrations.length) {
    await connection.query(migrationOf(schema), [], { timeout: LONG_TIMEOUT_MS })
    const reached = await versionOf(connection)
    if (reached > migrations.length) throw newerError(connection, reached)
  }
  await adoptTransactions(connection)
}

/**
 * Replaces transaction numbers that are in the future of this server, as after restoring a backup of another one, by
 * the current number.
 */
async function adoptTransactions(connection: Connection): Promise<void> {
  const [newest] = await connection.query<{ is_foreign: boolean }>(
    "SELECT changed >= pg_snapshot_xmax(pg_current_snapshot()) AS is_foreign FROM pawl.session ORDER BY changed DESC LIMIT 1",
  )
  if (!newest?.is_foreign) return
  await connection.query(
    `WITH adopted AS (
       UPDATE pawl.session SET changed = pg_current_xact_id()
       WHERE changed >= pg_snapshot_xmax(pg_current_snapshot()))
     UPDATE pawl.derived_until SET changed = '0'`,
  )
}

/** Returns a simple query: one transaction with a lock that ends with it, which works with any pooler. */
function migrationOf(schema: string): string {
  const steps = migrations.map((migration, index) => {
    const tag = `$version_${index + 1}$`
    return `IF reached = ${index} THEN EXECUTE ${tag}${migration}${tag}; reached := ${index + 1}; INSERT INTO pawl.pawl_schema VALUES (reached); END IF;`
  })
  const name = `'${schema.replaceAll("'", "''")}'`
  return `
SELECT pg_advisory_xact_lock(hashtextextended('pawl schema ' || ${name}, 0));
DO $migration$
DECLARE
  reached integer;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = ${name}) THEN
    CREATE SCHEMA ${quoted(schema)};
  END IF;
  -- Without IF NOT EXISTS, which speaks of each table that is there.
  IF NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = ${name} AND tablename = 'pawl_schema') THEN
    CREATE TABLE pawl.pawl_schema (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());
  END IF;
  SELECT coalesce(max(version), 0) INTO reached FROM pawl.pawl_schema;
  ${steps.join("\n  ")}
END $migration$;
`
}

async function versionOf(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ version: number }>(
    "SELECT coalesce(max(version), 0) AS version FROM pawl.pawl_schema",
  )
  return row?.version ?? 0
}

function newerError({ location, schema }: Connection, version: number): StorageError {
  return new StorageError(
    `The schema "${schema}" of ${location} was written by a newer pawl (version ${version}, this one knows ` +
      `${migrations.length}). Update pawl, or choose another with ?schema=NAME.`,
  )
}
