import { defineConfig } from "vitest/config"

/** Tests run over sources: workspace packages resolve through their `@pawl/source` export condition. */
export default defineConfig({
  resolve: { conditions: ["@pawl/source"] },
  ssr: { resolve: { conditions: ["@pawl/source"] } },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
