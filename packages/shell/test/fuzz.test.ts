import { expect, it } from "vitest"
import { createShellReader } from "../src/index.ts"
import { createBash, forEach } from "./bash.ts"
import { missedCalls } from "./missed.ts"
import { randomNumbers, randomTokens, wrappedCommand } from "./random-command.ts"

const seed = Number(process.env.TEST_SHELL_SEED ?? 1)
const rounds = Number(process.env.TEST_SHELL_ROUNDS ?? 100)

it.each([
  { what: "wrapped commands", create: wrappedCommand, atLeast: 0.8 },
  { what: "pieces in any order", create: randomTokens, atLeast: 0 },
])("misses nothing that bash runs of $what", { timeout: 600_000 + rounds * 1000 }, async ({ create, atLeast }) => {
  await using bash = await createBash()
  const reader = await createShellReader()
  const random = randomNumbers(seed)
  const missed: unknown[] = []
  let ran = 0
  const commands = Array.from({ length: rounds }, () => create(random))
  await forEach(commands, async (command) => {
    const calls = await bash.callsOf(command)
    if (calls.length > 0) ran++
    const found = missedCalls(reader.read(command), calls)
    if (found.length > 0) missed.push({ command, found })
  })
  expect(missed).toEqual([])
  expect(ran).toBeGreaterThan(rounds * atLeast)
})
