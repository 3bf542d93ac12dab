// One of several processes that write to the same store. Options: see WriterOptions.

import { appendFileSync } from "node:fs"
import type { SessionID, MaintainedStorage } from "@pawl/core/storage"
import { waitForGo } from "../processes/wait-for-go.ts"
import { loadStore, openStore } from "../subjects/open-store.ts"
import { sabotaged } from "../subjects/sabotaged.ts"
import { messageID, partID, putSession, putText, putUserMessage, sessionID } from "../workload/records.ts"
import type { WriterLine, WriterOptions } from "./options.ts"

const { url, writer, writes, shared, log, sabotage } = JSON.parse(process.argv[2] ?? "{}") as WriterOptions
await loadStore(url)
await waitForGo()
const lines: WriterLine[] = []
try {
  const storage = sabotaged(await openStore(url), sabotage)
  const own = sessionID(1000 + writer)
  await storage.commit(own, [putSession(own, "/srv/project"), putUserMessage(own, messageID(1))])
  for (let number = 1; number <= writes; number++) await write(storage, number % 2 === 0 ? shared : own, number)
  await storage.close()
} catch (error) {
  lines.push({ problem: `Writer ${writer}: ${String(error)}` })
}
appendFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))

async function write(storage: MaintainedStorage, id: SessionID, number: number): Promise<void> {
  const part = partID(writer * 100_000 + number)
  const start = performance.now()
  const revision = await storage.commit(id, [putText(id, messageID(1), part, `Write ${number} of ${writer}`)])
  lines.push({ sessionID: id, revision, milliseconds: performance.now() - start, part })
}
