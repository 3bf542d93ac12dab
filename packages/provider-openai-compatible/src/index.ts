export { type ConfiguredModel, defaultModelInfo } from "@pawl/provider-http"
export { toModelInfo } from "./efforts.ts"
export { openAICompatible, type OpenAICompatibleOptions } from "./openai-compatible.ts"
