export { type ConfiguredModel, defaultModelInfo } from "./model-info.ts"
export { openAICompatible, type OpenAICompatibleOptions } from "./openai-compatible.ts"
