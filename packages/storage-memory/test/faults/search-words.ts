import { matchesWords, type Part, searchText, searchWords as wordsOf, StorageError } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"
import { ownSearch, searching, searchingBy } from "../own-search.ts"

const cutText = (length: number) => (part: Part) => searchText(part)?.slice(0, length)

const asciiLower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

const runs = (text: string) => text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

export const searchWords: readonly Fault[] = [
  {
    fault: "finds what has any of the words",
    breaks: [
      "finds the parts that hold every word, in whatever order",
      "finds letters however they are composed, and knows accents apart",
    ],
    open: searchingBy({ matches: (words, query) => query.some((wanted) => matchesWords(words, [wanted])) }),
  },
  {
    fault: "finds words in the order asked for only",
    breaks: ["finds the parts that hold every word, in whatever order"],
    open: searchingBy({ matches: (words, query) => words.join(" ").includes(query.join(" ")) }),
  },
  {
    fault: "finds words by any piece of them",
    breaks: ["finds words by their beginning, not by what follows"],
    open: searchingBy({ matches: (words, query) => query.every((wanted) => words.join(" ").includes(wanted)) }),
  },
  {
    fault: "finds whole words only",
    breaks: ["finds words by their beginning, not by what follows", "ignores case, beyond ASCII too"],
    open: searchingBy({
      matches: (words, query) => query.length > 0 && query.every((wanted) => words.includes(wanted)),
    }),
  },
  {
    fault: "ignores case in ASCII only",
    breaks: ["ignores case, beyond ASCII too"],
    open: searchingBy({ words: (text) => runs(asciiLower(text)) }),
  },
  {
    fault: "takes letters as they are composed",
    breaks: ["finds letters however they are composed, and knows accents apart"],
    open: searchingBy({ words: (text) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [] }),
  },
  {
    fault: "ignores accents",
    breaks: ["finds letters however they are composed, and knows accents apart"],
    open: searchingBy({ words: (text) => wordsOf(text.normalize("NFD").replaceAll(/\p{M}/gu, "")) }),
  },
  {
    fault: "takes a sentence without spaces for a word",
    breaks: ["finds single characters of scripts without spaces"],
    open: searchingBy({ words: (text) => runs(text.toLowerCase()) }),
  },
  {
    fault: "parts words at spaces only",
    breaks: ["finds numbers and the pieces of identifiers", "takes quotes and operators as signs and words"],
    open: searchingBy({ words: (text) => text.toLowerCase().split(/\s+/).filter(Boolean) }),
  },
  {
    fault: "searches texts only",
    breaks: [
      "finds what tools were asked and what they answered",
      "finds reasoning, and nothing in parts that say nothing",
    ],
    open: searchingBy({ text: (part) => (part.type === "text" ? searchText(part) : undefined) }),
  },
  {
    fault: "searches the whole record",
    breaks: [
      "finds what tools were asked and what they answered",
      "finds reasoning, and nothing in parts that say nothing",
      "tells what of a part is searched, as it was written",
    ],
    open: searchingBy({ text: (part) => JSON.stringify(part) }),
  },
  {
    fault: "tells texts with their spaces merged",
    breaks: ["tells what of a part is searched, as it was written"],
    open: searchingBy({ text: (part) => searchText(part)?.replaceAll(/\s+/g, " ") }),
  },
  {
    fault: "searches texts up to a NUL",
    breaks: ["finds words beside NUL, lone surrogates and other signs"],
    open: searchingBy({ text: (part) => searchText(part)?.split("\0")[0] }),
  },
  {
    fault: "drops what is no letter from texts and queries",
    breaks: ["finds words beside NUL, lone surrogates and other signs"],
    open: searchingBy({ words: (text) => wordsOf(text.replaceAll(/[^\p{L}\p{N}\s]/gu, "")) }),
  },
  {
    fault: "has a language for queries",
    breaks: ["takes quotes and operators as signs and words"],
    open: searching(async (storage, query) => {
      const either = query.text.split(" OR ").map((text) => ownSearch(storage, { ...query, text }))
      return (await Promise.all(either)).flat()
    }),
  },
  {
    fault: "refuses a query with a quote left open",
    breaks: ["takes quotes and operators as signs and words"],
    open: replacing((storage) => ({
      search: (query) => {
        if (query.text.split('"').length % 2 === 0) throw new StorageError("The query ends within quotes.")
        return storage.search(query)
      },
    })),
  },
  {
    fault: "finds everything by nothing",
    breaks: ["finds nothing by a text without words"],
    open: searchingBy({ matches: (words, query) => query.length === 0 || matchesWords(words, query) }),
  },
  {
    fault: "searches 64 KB of a text",
    breaks: ["finds a word at the end of a long text"],
    open: searchingBy({ text: cutText(65_536) }),
  },
  {
    fault: "counts every character of a word",
    breaks: ["counts no more than 64 characters of a word"],
    open: searchingBy({ words: (text) => runs(text.toLowerCase()) }),
  },
  {
    fault: "gives a part for each of its words",
    breaks: ["gives a part once, however often it has the words"],
    open: searching(async (storage, query) => {
      const hits = await ownSearch(storage, query)
      return hits.flatMap((hit) => wordsOf(hit.text).map(() => hit))
    }),
  },
]
