import { plainLine } from "@pawl/plain-text"
import { ago } from "@pawl/terminal-text/quantity"
import type { PickerItem } from "../dialogs/picker.ts"
import { messageBlocks } from "../state/blocks-of.ts"
import type { TreeRow } from "../state/session-tree.ts"
import type { UI } from "./command.ts"

const MAX_HITS = 30
const PREVIEWED_MESSAGES = 6

export interface SessionListOptions {
  readonly title: string
  readonly rows: readonly TreeRow[]
  /** Shows the list again after a change. */
  readonly again: () => Promise<void>
}

/** Lets the user open, rename or delete one of some sessions. */
export function pickSession(ui: UI, { title, rows, again }: SessionListOptions): void {
  const { session: current } = ui.view()
  const items = rows.map(({ session, depth }): PickerItem<string> => {
    const { id, agent, parentID, time } = session
    const about = [ago(time.updated, Date.now()), parentID === undefined ? "" : (agent ?? "subagent")]
    const here = id === current?.id ? ["this one"] : []
    return {
      value: id,
      label: `${"  ".repeat(depth)}${depth > 0 ? "└ " : ""}${plainLine(session.title)}`,
      detail: plainLine([...about, ...here].filter((each) => each !== "").join(" · ")),
    }
  })
  const titleOf = (id: string) => rows.find(({ session }) => session.id === id)?.session.title ?? id
  const run = (work: () => Promise<void>) => void work().catch(ui.fail)
  ui.pick<string>({
    ...{
      title,
      items,
      selected: Math.max(
        0,
        items.findIndex(({ value }) => value === current?.id),
      ),
    },
    onPick: (id) => run(() => ui.openSession(id)),
    async search(text) {
      const hits = await ui.source.search(text, { limit: MAX_HITS })
      const first = new Map(hits.toReversed().map((hit) => [hit.sessionID, hit]))
      return [...first.values()].toReversed().map(({ sessionID, title: found, excerpt }) => {
        return { value: sessionID, label: plainLine(found), detail: plainLine(excerpt) }
      })
    },
    preview: (id) => preview(ui, id),
    keys: {
      "ctrl+r": {
        label: "renames",
        run(id) {
          const onEnter = (text: string) =>
            run(async () => {
              await ui.source.rename(id, text)
              await again()
            })
          ui.ask({ title: "Title:", text: titleOf(id), onEnter })
        },
      },
      "ctrl+d": {
        label: "deletes",
        run(id) {
          if (id === current?.id) return ui.notice("This session is open. Open another one to delete it.")
          const remove = async () => {
            await ui.source.remove(id)
            ui.notice(`Deleted ${JSON.stringify(titleOf(id))}.`)
            await again()
          }
          ui.pick<boolean>({
            title: `Delete "${plainLine(titleOf(id))}" with its subagents?`,
            items: [
              { value: false, label: "Keep it" },
              { value: true, label: "Delete it", detail: "cannot be undone" },
            ],
            onPick: (isSure) => run(isSure ? remove : again),
          })
        },
      },
    },
  })
}

/** Returns a line for each of the newest texts of a session. */
async function preview(ui: UI, id: string): Promise<string[]> {
  const messages = await ui.source.messages(id, PREVIEWED_MESSAGES)
  return messages.flatMap(messageBlocks).flatMap((block) => {
    if (block.type === "prompt") return [`> ${plainLine(ui.source.mask(block.text))}`]
    return block.type === "text" ? [plainLine(ui.source.mask(block.text))] : []
  })
}
