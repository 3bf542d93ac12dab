import { familyOf, sessionTree } from "../state/session-tree.ts"
import type { Command, UI } from "./command.ts"
import { pickSession } from "./session-list.ts"

const MAX_LISTED = 200

export const sessions: Command = {
  name: "sessions",
  aliases: ["resume"],
  description: "Open, rename or delete a session of this directory.",
  run: showSessions,
}

async function showSessions(ui: UI): Promise<void> {
  const found = await ui.source.sessions({ limit: MAX_LISTED })
  if (found.length === 0) return ui.notice("There is no other session of this directory.")
  pickSession(ui, { title: "Sessions", rows: sessionTree(found), again: () => showSessions(ui) })
}

export const tree: Command = {
  name: "tree",
  description: "Show the forks and subagents of this session.",
  run: showTree,
}

async function showTree(ui: UI): Promise<void> {
  const { session } = ui.view()
  const found = await ui.source.sessions({ limit: MAX_LISTED, hasSubagents: true })
  const rows = familyOf(session?.id ?? "", sessionTree(found))
  if (rows.length === 0) return ui.notice("The session is stored with its first prompt.")
  pickSession(ui, { title: "Tree", rows, again: () => showTree(ui) })
}
