export { openai, type OpenAIOptions } from "./openai.ts"
export { openaiModels } from "./catalogue.ts"
