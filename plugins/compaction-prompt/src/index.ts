export { createCompactionPrompt, compactionPrompt as default, type CompactionPromptHost } from "./plugin.ts"
export type { Options as CompactionPromptOptions } from "./options.ts"
