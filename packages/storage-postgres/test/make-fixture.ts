import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describeRecord, storeSamples } from "@pawl/storage-testkit"
import { postgresStorage } from "../src/postgres-storage.ts"
import { findBinaries, startTestServer } from "@pawl/postgres-test-server"

// Writes what this version stores to fixtures/NAME.sql, by `pg_dump`, and what it reads of it beside it:
// node --conditions=@pawl/source test/make-fixture.ts version-1
const [name = "version"] = process.argv.slice(2)
const path = join(dirname(fileURLToPath(import.meta.url)), "fixtures", `${name}.sql`)
await using server = await startTestServer()
const storage = await postgresStorage({ url: server.url, schema: "fixture" })
await storeSamples(storage)
writeFileSync(`${path}.json`, `${JSON.stringify(await describeRecord(storage))}\n`)
await storage.close()
const pgDump = join(findBinaries()?.directory ?? "", "pg_dump")
const dump = execFileSync(pgDump, ["--schema=fixture", "--inserts", "--no-owner", "--no-comments", server.url], {
  encoding: "utf8",
})
writeFileSync(path, dump.replaceAll(/^(--.*|\\.*)\n/gm, "").replaceAll(/\n{2,}/g, "\n"))
