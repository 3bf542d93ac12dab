import type { ClientRow, Feature } from "./features.ts"
import { openWorld } from "./world.ts"

export interface Outcome {
  readonly client: string
  readonly feature: Feature
  readonly outcome: "works" | "fails" | "none"
  /** Why there is no cell, or what failed. */
  readonly reason?: string
  readonly ms?: number
}

export interface PlayOptions {
  readonly scratch: string
  readonly packages: string
  readonly signal: AbortSignal
}

const CELL_MS = 60_000

/** Plays a cell in a world of its own. Rejects only with the signal's reason. */
export async function playCell(row: ClientRow, feature: Feature, options: PlayOptions): Promise<Outcome> {
  const { name: client, cells } = row
  const cell = cells[feature]
  if (typeof cell === "string") return { client, feature, outcome: "none", reason: cell }
  const start = performance.now()
  const took = () => Math.round(performance.now() - start)
  try {
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(CELL_MS)])
    await using world = await openWorld({ ...options, signal })
    await Promise.race([cell(world), rejection(signal)])
    return { client, feature, outcome: "works", ms: took() }
  } catch (error) {
    options.signal.throwIfAborted()
    return { client, feature, outcome: "fails", reason: reasonOf(error), ms: took() }
  }
}

/** Rejects a while after the signal, so that what waits can say what it waits for. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => setTimeout(() => reject(signal.reason as Error), 1000).unref())
  })
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error === "string" ? error : JSON.stringify(error)
}
