export { type ConfiguredModel, defaultModelInfo, toModelInfo } from "@pawl/provider-http"
export { openAICompatible, type OpenAICompatibleOptions } from "./openai-compatible.ts"
