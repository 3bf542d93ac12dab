export { google, type GoogleOptions } from "./google.ts"
export { geminiModels } from "./catalogue.ts"
