import { plainLine } from "@pawl/plain-text"
import type { Command, UI } from "./command.ts"

const MAX_HITS = 50
/** Messages that are looked through for the one to print. */
const MAX_MESSAGES = 10_000

export const find: Command = {
  name: "find",
  description: "Find words in this session, and print the message again.",
  argument: "<words>",
  run(ui, argument) {
    if (argument !== "") return search(ui, argument)
    ui.ask({ title: "Find:", onEnter: (words) => void search(ui, words).catch(ui.fail) })
  },
}

async function search(ui: UI, words: string): Promise<void> {
  const { session } = ui.view()
  const hits = session ? await ui.source.search(words, { sessionID: session.id, limit: MAX_HITS }) : []
  if (!session || hits.length === 0) return ui.notice(`Nothing with ${JSON.stringify(words)} in this session.`)
  ui.pick<string>({
    title: `${hits.length === MAX_HITS ? "Newest " : ""}${hits.length} with "${plainLine(words)}"`,
    items: hits.map(({ messageID, excerpt }) => ({ value: messageID, label: plainLine(excerpt) })),
    onPick: (id) => void print(ui, session.id, id).catch(ui.fail),
  })
}

async function print(ui: UI, sessionID: string, messageID: string): Promise<void> {
  const messages = await ui.source.messages(sessionID, MAX_MESSAGES)
  const at = messages.findIndex(({ info }) => info.id === messageID)
  const found = messages.slice(Math.max(at, 0), at + 1)
  ui.divide(`from ${new Date(found[0]?.info.time.created ?? 0).toLocaleString()}`)
  ui.print(found)
  ui.divide("end of what was found")
}
