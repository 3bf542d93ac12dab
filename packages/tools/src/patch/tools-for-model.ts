/** Tools that `apply_patch` replaces. */
const REPLACED = ["edit", "multiedit", "write"]

/** Returns true for models trained to edit by patches: GPT models newer than GPT-4, except the open-weight ones. */
export function wantsPatches(modelID: string): boolean {
  const id = modelID.toLowerCase()
  return id.includes("gpt-") && !id.includes("oss") && !id.includes("gpt-4")
}

/** Disables `apply_patch`, or the tools that it replaces, depending on the model. */
export function toolsForModel(modelID: string): Readonly<Record<string, false>> {
  const off = wantsPatches(modelID) ? REPLACED : ["apply_patch"]
  return Object.fromEntries(off.map((name) => [name, false]))
}
