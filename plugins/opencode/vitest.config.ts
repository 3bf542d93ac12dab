import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Plugins leave modules and globals such as `Bun` in their process: each file has one of its own.
export default mergeConfig(base, { test: { isolate: true } })
