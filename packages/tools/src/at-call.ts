// Loaded when a tool is called, not when tools are listed. One file, so that the build does not split the shared code
// into many small files, which take longer to load.
export { checkFiles } from "./after-edit/check-files.ts"
export { formatFile } from "./after-edit/format-file.ts"
export { runInBackground } from "./bash/background.ts"
export { commandNeeds } from "./bash/command-needs.ts"
export { commandTargets } from "./bash/command-targets.ts"
export { runInForeground } from "./bash/foreground.ts"
export { patchPlan } from "./patch/patch-plan.ts"
export { writePlan } from "./patch/write-plan.ts"
