import { mergeConfig } from "vitest/config"
import base, { filesInMemory } from "../../vitest.base.ts"

export default mergeConfig(base, filesInMemory)
