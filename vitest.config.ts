import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: ["packages/*", "plugins/*", "apps/*", "bench", "e2e", "examples", "faults"],
    maxWorkers: 2 * availableParallelism(),
  },
})
