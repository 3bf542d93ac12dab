import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Modules of plugins are imported by Node itself, with hooks that another loader would not call.
export default mergeConfig(base, {
  test: { experimental: { viteModuleRunner: false }, execArgv: ["--conditions=@pawl/source"] },
})
