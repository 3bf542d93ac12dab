import { bash, compact, edit, glob, grep, honest, list, loop, prompt, read, say, step, times } from "./trace.ts"

const files = (count: number) => Array.from({ length: count }, (_, at) => read(`src/part-${at}.ts`, `1: part ${at}\n`))
const passing = bash("npm test", "Tests  42 passed (42)")

/** Answers with many calls. */
export const wideLoops = [
  loop(
    "reads the same five files in each answer",
    times(4, () => step(...files(5))),
  ),
  loop(
    "reads the same forty files in each answer",
    times(4, () => step(...files(40))),
  ),
  loop(
    "reads the same files in another order each time",
    times(4, (round) => step(...files(7).slice(round), ...files(7).slice(0, round))),
  ),
  loop(
    "reads the same six files again after each compaction",
    times(5, () => [step(...files(6)), compact(1)]),
  ),
  loop(
    "reads six files after each compaction that leaves nothing",
    times(5, () => [step(...files(6)), compact()]),
  ),
  loop(
    "goes to and fro between two large answers",
    times(4, () => [
      step(...files(6)),
      step(...Array.from({ length: 5 }, (_, at) => grep(`name${at}`, "No matches found"))),
    ]),
  ),
  loop(
    "looks around with eight calls, in each of three answers",
    times(4, () => [
      step(...files(8)),
      step(list("src", "part-0.ts")),
      step(glob("**/*.md", "README.md"), ...files(5)),
    ]),
  ),
  loop(
    "runs the tests far more often than it was asked to",
    prompt("Run the tests three times."),
    times(9, () => step(passing)),
  ),
  loop(
    "repeats what a number in the request has nothing to do with",
    prompt("The build failed 30 times last week. Find out why."),
    times(5, () => step(bash("cat build.log", "error: out of memory", 1))),
  ),
]

export const wideHonest = [
  honest(
    "runs the tests five times, as asked",
    prompt("Run the tests five times."),
    times(5, () => step(passing)),
  ),
  honest(
    "runs a benchmark ten times, as asked",
    prompt("Please run `npm run bench` 10 times and report the mean."),
    times(10, () => step(bash("npm run bench", "ops: 1200"))),
  ),
  honest(
    "runs the tests side by side, as often as asked",
    prompt("Run the suite 12 times in parallel."),
    step(...Array.from({ length: 12 }, () => passing)),
  ),
  honest(
    "looks for a flaky test, as asked",
    prompt("Run the e2e test until it fails."),
    times(12, () => step(bash("npx playwright test", "1 passed"))),
  ),
  honest(
    "runs the tests four times after a compaction, as asked",
    prompt("Run the tests 4 times, then fix what fails."),
    step(passing),
    compact(1),
    times(3, () => step(passing)),
  ),
  honest(
    "says the same after each of the runs that were asked for",
    prompt("Run the tests five times."),
    times(5, () =>
      say(
        `All of the tests have passed in this run, so I am going to run the whole suite once more, as you have asked me to do.`,
        passing,
      ),
    ),
  ),
  honest(
    "reads five files twice, with a change in between",
    step(...files(5)),
    step(edit("src/part-0.ts", "part 0", "part zero")),
    step(...files(5)),
  ),
  honest(
    "reads five other files in each answer",
    times(8, (round) => step(...Array.from({ length: 5 }, (_, at) => read(`src/${round}/${at}.ts`, "export {}")))),
  ),
  honest(
    "checks five packages after each edit, with other results",
    times(6, (round) => [
      step(edit("src/types.ts", `v${round}`, `v${round + 1}`)),
      step(
        ...Array.from({ length: 5 }, (_, at) =>
          bash(`npx tsc -p packages/p${at}`, `${Math.max(0, 9 - round - at)} errors`, 2),
        ),
      ),
    ]),
  ),
]
