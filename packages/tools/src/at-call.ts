// What tools need when they are called, and not to be offered. One file: a bundle for each would split what they share
// into many small files, and every file takes time to load.
export { checkFiles } from "./after-edit/check-files.ts"
export { formatFile } from "./after-edit/format-file.ts"
export { runInBackground } from "./bash/background.ts"
export { commandNeeds } from "./bash/command-needs.ts"
export { runInForeground } from "./bash/foreground.ts"
export { patchPlan } from "./patch/patch-plan.ts"
export { writePlan } from "./patch/write-plan.ts"
