import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Most of these tests wait for processes and deadlines: they do so side by side.
export default mergeConfig(base, { test: { maxWorkers: 4, sequence: { groupOrder: 4 }, maxConcurrency: 6 } })
