import { formatModelRef } from "@pawl/provider-registry/model-ref"
import type { ScreenUI, UI } from "../commands/command.ts"
import type { ModelChoice } from "../source/source.ts"

/** Switches to the favourite behind the current model. */
export async function cycleModel(ui: ScreenUI): Promise<void> {
  const { favourites } = await ui.models.read()
  const known = await ui.source.models()
  const listed = favourites.flatMap((name) => known.find(({ ref }) => formatModelRef(ref) === name) ?? [])
  if (listed.length === 0) return ui.notice("No model is a favourite. Ctrl-F in /model marks one.")
  const at = listed.findIndex((each) => isCurrent(ui, each))
  const next = listed[(at + 1) % listed.length]
  if (!next || (at >= 0 && listed.length === 1)) return ui.notice("There is no other favourite.")
  ui.choose({ model: next.ref, variant: "default" })
}

/** Switches to the next variant of the current model, such as another level of reasoning. */
export async function cycleVariant(ui: ScreenUI): Promise<void> {
  const known = await ui.source.models()
  const current = known.find((each) => isCurrent(ui, each))
  if (!current) return ui.notice("The model is not known yet. /model lists the known models.")
  const variants = ["default", ...current.variants.filter((name) => name !== "default")]
  if (variants.length === 1) return ui.notice(`${formatModelRef(current.ref)} has no variants.`)
  const at = variants.indexOf(ui.view().variant ?? "default")
  ui.choose({ variant: variants[(at + 1) % variants.length] })
}

function isCurrent(ui: UI, { ref }: ModelChoice): boolean {
  const { model } = ui.view()
  return model !== undefined && formatModelRef(model) === formatModelRef(ref)
}
