/** Part of the rounds that randomized tests run, from 0 to 1. `TEST_SHARE=1 pnpm test` runs all of them. Default: 0.2. */
const SHARE = Number(process.env["TEST_SHARE"] ?? 0.2)

/** Returns how many of `all` rounds of a randomized test to run, at least one. */
export function rounds(all: number): number {
  return Math.max(1, Math.round(all * SHARE))
}
