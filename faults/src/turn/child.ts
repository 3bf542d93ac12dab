// Runs one turn in its own process, for sweeps that kill it. Options: see TurnOptions.

import { waitForGo } from "../processes/wait-for-go.ts"
import { loadStore } from "../subjects/open-store.ts"
import type { TurnOptions } from "./options.ts"
import { runTurn } from "./run-turn.ts"

const options = JSON.parse(process.argv[2] ?? "{}") as TurnOptions
await loadStore(options.url)
await waitForGo()
const result = await runTurn(options)
if (result.type !== "answered") {
  console.error(JSON.stringify(result))
  process.exitCode = 4
}
