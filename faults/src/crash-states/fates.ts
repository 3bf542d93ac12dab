import { numbers } from "../random.ts"

/** Decides if each unsynced change survives. `half` keeps the first half of a write, rounded down. */
export interface Fates {
  content(): "kept" | "half" | "lost"
  entry(): "kept" | "lost"
}

/** Describes one way in which a power cut treats unsynced changes. */
export interface Loss {
  readonly name: string
  fates(): Fates
}

function alike(content: ReturnType<Fates["content"]>, entries: ReturnType<Fates["entry"]>): Loss {
  return {
    name: `content ${content}, entries ${entries}`,
    fates: () => ({ content: () => content, entry: () => entries }),
  }
}

/** All changes of a kind survive in the same way. */
export const losses: readonly Loss[] = (["kept", "lost"] as const).flatMap((entries) =>
  (["kept", "half", "lost"] as const).map((content) => alike(content, entries)),
)

/** Each change survives or not by itself. The same seed gives the same result. */
export function mixedLoss(seed: number): Loss {
  return {
    name: `mixed, seed ${seed}`,
    fates() {
      const random = numbers(seed)
      return {
        content: () => (["kept", "half", "lost"] as const)[Math.floor(random() * 3)] ?? "kept",
        entry: () => (random() < 0.5 ? "kept" : "lost"),
      }
    },
  }
}
