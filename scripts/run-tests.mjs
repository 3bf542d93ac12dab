// Runs the tests of every package, also after one has failed, and ends with the counts of the whole workspace.
// Arguments go to turbo: `pnpm test --filter pawl --force`.
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { join, relative } from "node:path"

/** Written by each package's vitest, kept and restored by turbo. */
const RESULTS = join(".turbo", "tests.json")
const RUNS = join(".turbo", "runs")

// A package that fails to start must not be counted with the results of its last run.
for (const file of globSync(`{*,*/*}/${RESULTS}`)) rmSync(file)
rmSync(RUNS, { recursive: true, force: true })

// Most tests start processes, which would compile the same modules again and again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../node_modules/.cache/compiled")

const options = ["--continue=dependencies-successful", "--concurrency=100%", "--output-logs=new-only", "--summarize"]
const turbo = spawnSync("turbo", ["run", "test", ...options, ...process.argv.slice(2)], { stdio: "inherit" })
if (turbo.error) throw turbo.error

const tasks = existsSync(RUNS) ? readdirSync(RUNS).flatMap((run) => readJSON(join(RUNS, run)).tasks) : []
const packages = tasks.filter(({ task }) => task === "test").map(toResult)
const total = (key) => packages.reduce((sum, each) => sum + each[key], 0)
const failures = [
  ...tasks.filter(({ task, execution }) => task !== "test" && execution?.exitCode > 0).map(({ taskId }) => taskId),
  ...packages.flatMap(({ failures }) => failures),
]
const cached = tasks.filter(({ task, cache }) => task === "test" && cache.status === "HIT").length

console.log(`\n${packages.length} packages, ${cached} of them unchanged since they passed`)
for (const failure of failures) console.log(`FAILED ${failure}`)
console.log(`${total("passed")} passed, ${total("failed")} failed, ${total("skipped")} skipped`)
process.exitCode = turbo.status === 0 && failures.length === 0 && packages.length > 0 ? 0 : turbo.status || 1

/** What a package's vitest wrote. A failure that is no test's, such as a file that cannot be loaded, counts as one failed test. */
function toResult({ directory, package: name, execution }) {
  const file = join(directory, RESULTS)
  if (!existsSync(file)) {
    const reason = execution === undefined ? "was not started" : "ended without results"
    return { passed: 0, failed: 1, skipped: 0, failures: [`${name} ${reason}`] }
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = readJSON(file)
  const files = testResults.filter(({ status }) => status === "failed")
  const unloaded = files.filter(({ assertionResults }) => assertionResults.every(({ status }) => status !== "failed"))
  const isOther = execution?.exitCode > 0 && files.length === 0
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloaded.length + (isOther ? 1 : 0),
    skipped: numPendingTests + numTodoTests,
    failures: isOther ? [`${name}, outside of its tests`] : files.map((each) => relative(process.cwd(), each.name)),
  }
}

function readJSON(file) {
  return JSON.parse(readFileSync(file, "utf8"))
}
