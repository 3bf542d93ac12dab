import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Tests wait for other programs most of the time, so that more of them run than there are processors.
export default mergeConfig(base, { test: { maxWorkers: 3, sequence: { groupOrder: 3 } } })
