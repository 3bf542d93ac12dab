import { expect, it } from "vitest"
import { bypasses, everyday } from "@pawl/shell-corpus"
import { createShellReader } from "../src/index.ts"
import { createBash, forEach } from "./bash.ts"
import { missedCalls } from "./missed.ts"

it("names every command that bash runs for the strings of the corpus", async () => {
  await using bash = await createBash()
  const reader = await createShellReader()
  const missed: unknown[] = []
  let told = 0
  // What has to be unclear cannot be missed.
  const entries = [...bypasses, ...everyday].filter((entry) => !entry.isOnlyRead && !entry.unclear)
  await forEach(entries, async ({ command, why }) => {
    const calls = await bash.callsOf(command)
    if (calls.length > 0) told++
    const found = missedCalls(reader.read(command), calls)
    if (found.length > 0) missed.push({ command, why, found })
  })
  expect(missed).toEqual([])
  expect(told).toBeGreaterThan(250)
})
