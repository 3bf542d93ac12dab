export { runTui, type TuiEnd, type TuiOptions } from "./main.ts"
export { createRuntimeSource } from "./source/runtime-source.ts"
export { createServerSource } from "./source/server-source.ts"
export type { Source } from "./source/source.ts"
