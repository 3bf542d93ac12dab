import { statfsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/**
 * Tests run over sources, imported by Node itself as `pnpm pawl` does: workspace packages resolve through their
 * `@pawl/source` export condition. The files of a worker share what it has imported, which takes longer than most tests:
 * no test may change what another one sees.
 */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Ends a test that hangs. On a busy machine a second becomes a minute.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 100_000, interval: 20 } },
    isolate: false,
    // Most tests wait for files, processes and other programs.
    maxWorkers: 2 * availableParallelism(),
    experimental: { viteModuleRunner: false },
    execArgv: ["--conditions=@pawl/source"],
  },
})

/** A directory in memory with room for the files of tests. Undefined if the machine has none. */
const memory = hasRoom("/dev/shm") ? "/dev/shm" : undefined

/**
 * For tests that make many files: what they are on does not matter to them, and on a disk that others use, too, waiting for
 * it is most of the time. On ext4, a new file is slow for some seconds after others were removed.
 */
export const filesInMemory = { test: memory === undefined ? {} : { env: { TMPDIR: memory } } }

/** For projects in which only some tests may have their files in memory. These use `TEST_MEMORY`, if it is set. */
export const offerMemory = { test: memory === undefined ? {} : { env: { TEST_MEMORY: memory } } }

/** Containers often have 64 MB there. */
function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize > 512 * 1024 ** 2
  } catch {
    return false
  }
}
