export { anthropic, type AnthropicOptions } from "./anthropic.ts"
export { anthropicModels } from "./catalogue.ts"
