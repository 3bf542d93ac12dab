export { openWorkshop } from "./open-runtime.ts"
