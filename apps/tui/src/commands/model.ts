import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { count } from "@pawl/terminal-text/quantity"
import type { ModelChoice } from "../source/source.ts"
import type { Command, UI } from "./command.ts"

interface Pick {
  readonly model: ModelChoice
  readonly variant: string | undefined
}

export const model: Command = {
  name: "model",
  aliases: ["models"],
  description: "Choose the model and its variant.",
  argument: "[provider/model]",
  async run(ui, argument) {
    const known = await ui.source.models()
    const named = known.find(({ ref }) => formatModelRef(ref) === argument)
    if (named) return choose(ui, { model: named, variant: undefined })
    if (argument !== "") throw new Error(`Model "${argument}" is not known. /model lists the known models.`)
    const picks = known.flatMap((each): Pick[] =>
      [undefined, ...each.variants].map((variant) => ({ model: each, variant })),
    )
    if (picks.length === 0) return ui.notice("The providers of this session list no models.")
    const current = ui.view().model
    ui.pick<Pick>({
      title: "Models",
      items: picks.map((pick) => ({
        value: pick,
        label: [formatModelRef(pick.model.ref), ...(pick.variant === undefined ? [] : [pick.variant])].join(" · "),
        detail: pick.model.context > 0 ? `${pick.model.name} · ${count(pick.model.context)} tokens` : pick.model.name,
      })),
      selected: Math.max(
        0,
        picks.findIndex(({ model: { ref } }) => current && formatModelRef(ref) === formatModelRef(current)),
      ),
      onPick(pick) {
        choose(ui, pick)
      },
    })
  },
}

function choose(ui: UI, { model: { ref }, variant }: Pick): void {
  ui.choose({ model: ref, variant: variant ?? "default" })
  ui.notice(`The next prompts go to ${[formatModelRef(ref), ...(variant === undefined ? [] : [variant])].join(" ")}.`)
}
