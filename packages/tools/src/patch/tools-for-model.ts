/** The tools that `apply_patch` stands in for. */
const REPLACED = ["edit", "multiedit", "write"]

/** Whether a model was taught to change files by patches: the newer GPT models, by their ids, but not the open ones. */
export function wantsPatches(modelID: string): boolean {
  const id = modelID.toLowerCase()
  return id.includes("gpt-") && !id.includes("oss") && !id.includes("gpt-4")
}

/**
 * Which tools a model is not offered, as switches that are `false`: it changes files either by `apply_patch` or by the
 * tools for one file.
 */
export function toolsForModel(modelID: string): Readonly<Record<string, false>> {
  const off = wantsPatches(modelID) ? REPLACED : ["apply_patch"]
  return Object.fromEntries(off.map((name) => [name, false]))
}
