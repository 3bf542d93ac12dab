// Writes test/fixtures/<name>.json.gz: what this version leaves of the sample records when it is interrupted. Takes the name.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeRecord, storeSamples } from "@pawl/storage-testkit/fixtures"
import { createStorage } from "../src/file-storage.ts"
import { nodeFileSystem } from "../src/node-file-system.ts"
import { packFixture } from "./fixture.ts"

const path = mkdtempSync(join(tmpdir(), "pawl-fixture-"))
const self = { boot: "an earlier one", host: "example", pid: process.pid, start: "" }
const storage = await createStorage({ path }, { fs: nodeFileSystem(path), self, longestJournal: 20_000 })
await storeSamples(storage)
const packed = packFixture(path, await describeRecord(storage))
writeFileSync(new URL(`fixtures/${String(process.argv[2])}.json.gz`, import.meta.url), packed)
await storage.close()
rmSync(path, { recursive: true })
