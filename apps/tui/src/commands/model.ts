import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { count } from "@pawl/terminal-text/quantity"
import { inOrderOfChoice } from "../models/model-choices.ts"
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
    const named = known.find((each) => nameOf(each) === argument)
    if (named) return choose(ui, { model: named, variant: undefined })
    if (argument !== "") throw new Error(`Model "${argument}" is not known. /model lists the known models.`)
    if (known.length === 0) return ui.notice("The providers of this session list no models.")
    const { model: current } = ui.view()
    await pickModel(ui, known, current && formatModelRef(current))
  },
}

function nameOf({ ref }: ModelChoice): string {
  return formatModelRef(ref)
}

/** `selected`: name of the model that is selected first. */
async function pickModel(ui: UI, known: readonly ModelChoice[], selected: string | undefined): Promise<void> {
  const chosen = await ui.models.read()
  const picks = inOrderOfChoice(known, chosen, nameOf).flatMap((each): Pick[] =>
    [undefined, ...each.variants].map((variant) => ({ model: each, variant })),
  )
  ui.pick<Pick>({
    title: "Models",
    items: picks.map((pick) => ({
      value: pick,
      label: [nameOf(pick.model), ...(pick.variant === undefined ? [] : [pick.variant])].join(" · "),
      detail: detailOf(pick.model, chosen.favourites),
    })),
    selected: Math.max(
      0,
      picks.findIndex((pick) => nameOf(pick.model) === selected),
    ),
    onPick: (pick) => choose(ui, pick),
    keys: {
      "ctrl+f": {
        label: "marks a favourite",
        run({ model: marked }) {
          const name = nameOf(marked)
          void ui.models
            .toggle(name)
            .then(() => pickModel(ui, known, name))
            .catch(ui.fail)
        },
      },
    },
  })
}

function detailOf(model: ModelChoice, favourites: readonly string[]): string {
  const facts = [
    ...(favourites.includes(nameOf(model)) ? ["favourite"] : []),
    model.name,
    ...(model.context > 0 ? [`${count(model.context)} tokens`] : []),
  ]
  return facts.join(" · ")
}

function choose(ui: UI, { model: { ref }, variant }: Pick): void {
  ui.choose({ model: ref, variant: variant ?? "default" })
  ui.models.use(formatModelRef(ref)).catch(ui.fail)
  ui.notice(`The next prompts go to ${[formatModelRef(ref), ...(variant === undefined ? [] : [variant])].join(" ")}.`)
}
