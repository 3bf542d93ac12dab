// Runs steps with the engine and durable commits.
import { readInput } from "../measure/input.ts"
import { type EngineInput, openEngine } from "./engine.ts"

const { prompt, ...input } = readInput() as EngineInput & { prompt: string }
{
  await using open = await openEngine(input)
  await open.ask(prompt)
}
process.send?.("done")
process.disconnect()
