// The entry point of a child process. Arguments: the name of the script, the module that opens the storage, its URL,
// and numbers.

import { flushCompileCache } from "node:module"
import type { MaintainedStorage } from "@pawl/core/storage"
import { commitForever } from "./commit-forever.ts"
import { commitMany } from "./commit-many.ts"
import { commitUnderLease } from "./commit-under-lease.ts"
import { holdLease } from "./hold-lease.ts"
import { openStorage } from "./open-storage.ts"

const scripts = {
  "commit-many": (storage: MaintainedStorage, [first = 1, count = 1]: number[]) => commitMany(storage, first, count),
  "commit-forever": commitForever,
  "commit-under-lease": commitUnderLease,
  "hold-lease": holdLease,
}

export type ScriptName = keyof typeof scripts

const [name, module = "", url = "", ...numbers] = process.argv.slice(2)
const storage = await openStorage(module, url)
// Node flushes the cache when a process exits, but a killed process does not exit normally.
flushCompileCache()
await scripts[name as ScriptName](storage, numbers.map(Number))
await storage.close()
