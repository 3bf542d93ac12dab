export { runTui, type OpenedTui, type OpeningScreen, type TuiEnd, type TuiOptions } from "./main.ts"
export type { Source } from "./source/source.ts"
