import type { World } from "./world.ts"

/** The columns of the table, in this order: each is something that a user does with a client. */
export const features = [
  ...(["boot", "prompt", "stream", "permission", "abort", "reconnect", "list", "undo", "attach", "auth"] as const),
]

export type Feature = (typeof features)[number]

/** Plays a feature, and rejects if the client does not reach its end. */
export type Play = (world: World) => Promise<void>

/** A string is the reason why a feature cannot be played. */
export type Cell = Play | string

/** A client of the server: a row of the table. */
export interface ClientRow {
  /** For `--only`. */
  readonly name: string
  readonly title: string
  readonly cells: Readonly<Record<Feature, Cell>>
}

/** The cells of a client that has none of them, for one reason. */
export function noCells(reason: string): Record<Feature, Cell> {
  return Object.fromEntries(features.map((feature) => [feature, reason])) as Record<Feature, Cell>
}
