// Opens stores one after another in its own process, as after a power cut, reads and closes them. Options: see
// RecoveryOptions.

import { waitForGo } from "../processes/wait-for-go.ts"
import { observe } from "../record/observe.ts"
import { loadStore, openStore } from "../subjects/open-store.ts"
import type { RecoveryOptions } from "./options.ts"
import { planSubjects } from "./plan.ts"

const { urls, size } = JSON.parse(process.argv[2] ?? "{}") as RecoveryOptions
await loadStore(urls[0] ?? "")
await waitForGo()
for (const url of urls) {
  const storage = await openStore(url)
  await observe(storage, planSubjects(size))
  await storage.close()
}
