import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Most of these tests wait for processes and deadlines: they do so side by side.
export default mergeConfig(base, { test: { maxConcurrency: 6, globalSetup: "test/global-setup.ts" } })
