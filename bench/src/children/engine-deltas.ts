// Runs one long answer through the engine, with a listener that counts its deltas.
import { readInput } from "../measure/input.ts"
import { bytesWritten } from "../measure/bytes-written.ts"
import { type EngineInput, openEngine } from "./engine.ts"

export interface EngineDeltas {
  readonly wall: number
  readonly deltas: number
  /** Bytes that the process wrote, including sockets; missing if the system does not count them. */
  readonly written?: number
  /** The same count after the database was closed. */
  readonly writtenUntilClosed?: number
}

const { prompt, ...input } = readInput() as EngineInput & { prompt: string }
process.send?.(await measure())
process.disconnect()

async function measure(): Promise<EngineDeltas> {
  let deltas = 0
  let wall: number
  let before: number | undefined
  let written: number | undefined
  {
    await using open = await openEngine(input)
    // The first request loads code, which does not count.
    await open.ask("Hello")
    open.engine.subscribe((event) => {
      if (event.type === "message.part.delta") deltas++
    })
    before = bytesWritten()
    wall = await open.ask(prompt)
    written = bytesWritten()
  }
  const closed = bytesWritten()
  if (before === undefined || written === undefined || closed === undefined) return { wall, deltas }
  return { wall, deltas, written: written - before, writtenUntilClosed: closed - before }
}
