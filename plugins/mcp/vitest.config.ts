import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Most of these tests wait for processes and deadlines: they do so side by side. None changes what another one sees, and a
// worker for each of the many small files costs more than the tests.
export default mergeConfig(base, { test: { isolate: false, maxWorkers: 4, maxConcurrency: 6 } })
