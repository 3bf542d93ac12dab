import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Modules are imported by Node itself, with hooks that another loader would not call.
export default mergeConfig(base, {
  // Most of the time is waited for npm.
  test: { maxWorkers: 3, experimental: { viteModuleRunner: false }, execArgv: ["--conditions=@pawl/source"] },
})
