import { type Fault, replacing } from "../fault.ts"
import { findingForEver, ownSearch } from "../own-search.ts"

export const searchAcrossHandles: readonly Fault[] = [
  {
    fault: "finds only what was written through the handle itself",
    breaks: [
      "finds what another handle committed, however often it has searched before",
      "finds by its new words only what another handle wrote again",
      "no longer finds what another handle removed",
      "finds everything from both handles at once",
      "finds after closing what was found before, and what was not yet searched",
    ],
    open: findingForEver,
  },
  {
    fault: "looks at the record with its first search",
    breaks: [
      "finds what another handle committed, however often it has searched before",
      "finds by its new words only what another handle wrote again",
      "no longer finds what another handle removed",
    ],
    open: replacing((storage) => {
      const known = new Map<string, ReturnType<typeof ownSearch>>()
      return {
        search: async function* (query) {
          const found = known.get(query.text) ?? ownSearch(storage, query)
          known.set(query.text, found)
          yield* await found
        },
      }
    }),
  },
  {
    fault: "lets one handle catch up at a time",
    breaks: ["finds everything from both handles at once"],
    open: (open) => {
      let busy = false
      return replacing((storage) => ({
        search: async function* (query) {
          if (busy) return
          busy = true
          yield* await ownSearch(storage, query)
          busy = false
        },
      }))(open)
    },
  },
]
