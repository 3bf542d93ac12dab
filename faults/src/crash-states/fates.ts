import { numbers } from "../random.ts"

/** Decides what becomes of each change that was not synced. `half`: of a write its first half, rounded down. */
export interface Fates {
  content(): "kept" | "half" | "lost"
  entry(): "kept" | "lost"
}

/** One way in which a power cut treats what was not synced. */
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

/** All changes of a kind share one fate. */
export const losses: readonly Loss[] = (["kept", "lost"] as const).flatMap((entries) =>
  (["kept", "half", "lost"] as const).map((content) => alike(content, entries)),
)

/** Each change has a fate of its own, the same ones for the same seed. */
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
