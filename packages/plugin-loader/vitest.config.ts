import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Most of the time is waited for npm.
export default mergeConfig(base, { test: { maxWorkers: 3, sequence: { groupOrder: 3 } } })
