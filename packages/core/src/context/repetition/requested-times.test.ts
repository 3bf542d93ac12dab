import { expect, it } from "vitest"
import { timesIn } from "./requested-times.ts"

it.each([
  ["Run the tests five times.", 5],
  ["run `npm test` 10 times and count the failures", 10],
  ["Please re-run the suite 3 more times", 3],
  ["Execute ./bench.sh 20x, then tell me the mean.", 20],
  ["Five times in a row, run the e2e tests.", 5],
  ["I want you to call the health endpoint a dozen times.", 12],
  ["Do 8 runs of the benchmark.", 8],
  ["Führe die Tests aus: run 5 mal npm test", 5],
  ["Run it 100000 times.", 59],
  ["Run the tests in a loop.", 19],
  ["Run the flaky test until it fails.", 19],
  ["Keep polling the queue.", 19],
  ["Fix the tests.", 0],
  ["Run the tests and fix them until they no longer fail.", 0],
  ["Run the tests until they pass.", 0],
  ["The test failed 100 times last night. Fix it.", 0],
  ["Make it run 3 tests.", 0],
  ["Keep the server running.", 0],
  ["Read config.ts and run the linter.", 0],
  ["The request was sent 40 times.", 0],
])("%s: %i", (text, times) => {
  expect(timesIn(text)).toBe(times)
})

it("reads a long text of any kind in no time", () => {
  const texts = ["run ".repeat(5000), "1".repeat(20_000), "run it 5".repeat(2500), "until ".repeat(3000)]
  for (const text of texts) expect(timesIn(text)).toBeLessThanOrEqual(59)
})
