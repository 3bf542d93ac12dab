import { plainLine } from "@pawl/plain-text"
import type { Usage } from "@pawl/reports/usage/usage"
import { count, dollars, plural } from "@pawl/terminal-text/quantity"
import { clip } from "@pawl/terminal-text/width"
import type { ReportLine } from "../state/view.ts"
import type { Command } from "./command.ts"

const MAX_TURNS = 20
const PROMPT_COLUMNS = 40

export const cost: Command = {
  name: "cost",
  description: "Show tokens, cache and cost of each turn and of the session with its subagents.",
  async run(ui) {
    const { session } = ui.view()
    if (!session) return
    const { turns, subagents, own, total } = await ui.source.spending(session.id)
    if (total.requests === 0) return ui.notice("No model was asked yet.")
    const shown = turns.slice(-MAX_TURNS)
    const earlier = turns.length - shown.length
    const row = (name: string, usage: Usage): ReportLine => ({
      name: clip(plainLine(ui.source.mask(name)), PROMPT_COLUMNS),
      text: usageText(usage),
    })
    ui.report([
      ui.theme.strong(`Turns${earlier > 0 ? `, without the first ${earlier}` : ""}`),
      ...shown.map(({ prompt, usage }) => row(prompt === "" ? "(no text)" : prompt, usage)),
      ...(subagents.length > 0 ? ["", ui.theme.strong("Subagents")] : []),
      ...subagents.map(({ agent, title, usage }) => row(`${agent}: ${title}`, usage)),
      "",
      ui.theme.strong("Session"),
      ...(subagents.length > 0 ? [row("itself", own)] : []),
      row(subagents.length > 0 ? "with subagents" : "all turns", total),
    ])
  },
}

function usageText({ requests, tokens, cost: price, retries, estimated }: Usage): string {
  const sent = tokens.input + tokens.cache.read + tokens.cache.write
  const share = sent > 0 ? ` (${Math.round((100 * tokens.cache.read) / sent)}% cached)` : ""
  const facts = [
    `${count(sent)} in${share}`,
    `${count(tokens.output + tokens.reasoning)} out`,
    plural(requests, "request"),
    price > 0 ? dollars(price) : "",
    retries > 0 ? `${dollars(retries)} of it for failed attempts` : "",
    estimated > 0 ? `${dollars(estimated)} of it by estimate` : "",
  ]
  return facts.filter((fact) => fact !== "").join(" · ")
}
