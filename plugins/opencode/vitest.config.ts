import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Plugins leave modules and globals such as `Bun` in their process, so each file runs in a separate process.
export default mergeConfig(base, { test: { isolate: true } })
