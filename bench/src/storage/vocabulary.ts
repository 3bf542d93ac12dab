import { messageID, partID, sampleAssistantMessage, sampleSession, sampleText } from "@pawl/storage-testkit/samples"
import type { SessionID, MaintainedStorage } from "@pawl/core/storage"

const WORDS = 20_000
const WORDS_OF_A_PART = 20
const PARTS_OF_A_COMMIT = 1000

/** The n-th most common word. Its place among the letters says nothing of how common it is. */
export function word(rank: number): string {
  return `w${((rank * 7919) % 999_983).toString(36)}x`
}

/** So many parts with words as common as those of a language: the n-th word comes 1/n as often as the first. */
export async function fillWithWords(storage: MaintainedStorage, id: SessionID, parts: number): Promise<void> {
  const next = createRandom(42)
  const text = () => Array.from({ length: WORDS_OF_A_PART }, () => word(Math.floor(WORDS ** next()))).join(" ")
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])
  for (let first = 1; first <= parts; first += PARTS_OF_A_COMMIT) {
    const message = messageID(first)
    const count = Math.min(PARTS_OF_A_COMMIT, parts - first + 1)
    await storage.commit(id, [
      { type: "message.put", message: sampleAssistantMessage(id, message) },
      ...Array.from({ length: count }, (_, index) => {
        const part = sampleText(id, message, partID(first + index), { text: text() })
        return { type: "part.put", part } as const
      }),
    ])
  }
}

/** Queries of one and two words, common and rare ones. */
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

/** 0 to below 1, the same each time: a linear congruential generator with the constants of Numerical Recipes. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
