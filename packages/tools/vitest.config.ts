import { mergeConfig } from "vitest/config"
import base, { offerMemory } from "../../vitest.base.ts"

export default mergeConfig(base, offerMemory)
