import { messageID, partID, sampleAssistantMessage, sampleSession, sampleText } from "@pawl/storage-testkit/samples"
import type { SessionID, MaintainedStorage } from "@pawl/core/storage"

const VOCABULARY_SIZE = 20_000
const WORDS_PER_PART = 20
const PARTS_PER_COMMIT = 1000

/** Returns the n-th most common word. Its alphabetical order is independent of its rank. */
export function word(rank: number): string {
  return `w${((rank * 7919) % 999_983).toString(36)}x`
}

/** Creates parts with words in a natural distribution: the n-th word is 1/n as frequent as the first one. */
export async function fillWithWords(storage: MaintainedStorage, id: SessionID, parts: number): Promise<void> {
  const next = createRandom(42)
  const text = () => Array.from({ length: WORDS_PER_PART }, () => word(Math.floor(VOCABULARY_SIZE ** next()))).join(" ")
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])
  for (let first = 1; first <= parts; first += PARTS_PER_COMMIT) {
    const message = messageID(first)
    const count = Math.min(PARTS_PER_COMMIT, parts - first + 1)
    await storage.commit(id, [
      { type: "message.put", message: sampleAssistantMessage(id, message) },
      ...Array.from({ length: count }, (_, index) => {
        const part = sampleText(id, message, partID(first + index), { text: text() })
        return { type: "part.put", part } as const
      }),
    ])
  }
}

/** Queries of one and two common and rare words. */
export function sampleQueries(): string[] {
  const ranks = [1, 2, 5, 10, 30, 100, 300, 1000, 3000, 10_000, 19_000]
  const pairs = [
    [1, 2],
    [1, 1000],
    [100, 300],
    [3000, 10],
    [10_000, 19_000],
  ] as const
  return [...ranks.map(word), ...pairs.map((pair) => pair.map(word).join(" ")), "wordthatnobodywrote"]
}

/**
 * Returns numbers from 0 to below 1, always the same: a linear congruential generator with constants of Numerical
 * Recipes.
 */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
