import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// No test here changes what another one sees, and a worker for each of the many small files costs more than the tests.
export default mergeConfig(base, { test: { isolate: false } })
