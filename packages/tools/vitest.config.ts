import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// No test here changes what another one sees, and a worker for each of the many small files costs more than the tests.
// They wait for other programs most of the time, so that more of them run than there are processors.
export default mergeConfig(base, { test: { isolate: false, maxWorkers: 3 } })
