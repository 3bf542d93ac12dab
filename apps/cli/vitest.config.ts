import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Tests that wait for child processes leave time for others.
export default mergeConfig(base, {
  test: { include: ["{src,test,build}/**/*.test.ts"], globalSetup: ["test/global-setup.ts"] },
})
