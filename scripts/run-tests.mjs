// Runs the tests of the whole workspace in one vitest, and ends with the ten slowest files, the failed files, and the counts.
// Arguments go to vitest: `pnpm test packages/core`, `pnpm test --project pawl`.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"

const RESULTS = join(".turbo", "tests.json")
const SLOWEST = 10

// A run that fails to start must not be told by the results of the last one.
rmSync(RESULTS, { force: true })

// Most tests start processes, which would compile the same modules again and again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../node_modules/.cache/compiled")

const options = ["--reporter=default", "--reporter=json", `--outputFile.json=${RESULTS}`]
const vitest = spawnSync("vitest", ["run", ...options, ...process.argv.slice(2)], { stdio: "inherit" })
if (vitest.error) throw vitest.error
if (!existsSync(RESULTS)) {
  console.log(`\nFAILED vitest ended without results (${vitest.signal ?? `exit code ${vitest.status}`})`)
  process.exit(vitest.status || 1)
}

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
  readFileSync(RESULTS, "utf8"),
)
const nameOf = ({ name }) => relative(process.cwd(), name)
const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000

const slowest = testResults.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, SLOWEST)
console.log(`\nThe slowest of ${testResults.length} files, in seconds:`)
for (const file of slowest) console.log(`${seconds(file).toFixed(1).padStart(6)}  ${nameOf(file)}`)
console.log()

const failed = testResults.filter(({ status }) => status === "failed")
for (const file of failed) console.log(`FAILED ${nameOf(file)}`)
// A file that cannot be loaded has no failed test.
const unloaded = failed.filter(({ assertionResults }) => assertionResults.every(({ status }) => status !== "failed"))
const isOther = vitest.status !== 0 && failed.length === 0
if (isOther) console.log("FAILED outside of the tests; see above")
const failures = numFailedTests + unloaded.length + (isOther ? 1 : 0)
console.log(`${numPassedTests} passed, ${failures} failed, ${numPendingTests + numTodoTests} skipped`)
process.exitCode = failures === 0 ? 0 : vitest.status || 1
