import {
  bash,
  call,
  compact,
  edit,
  failing,
  glob,
  grep,
  honest,
  job,
  list,
  loop,
  prompt,
  read,
  step,
  times,
  type TraceCall,
  type TraceEvent,
} from "./trace.ts"

const files = (count: number, directory = "src") =>
  Array.from({ length: count }, (_, at) => read(`${directory}/part-${at}.ts`, `1: part ${at} of ${directory}\n`))
const status = (changed: number) => bash("git status --short", " M src/a.ts\n".repeat(changed))
const tests = (failed: number) => bash("npm test", ` Tests  ${failed} failed | ${42 - failed} passed (42)`, 1)
const missing = Array.from({ length: 5 }, (_, at) => grep(`legacy${at}`, "No matches found"))

/** The calls in another order in each round. */
function turned<T>(all: readonly T[], round: number): readonly T[] {
  const from = (round * 3) % all.length
  const rotated = [...all.slice(from), ...all.slice(0, from)]
  return round % 2 ? rotated : rotated.toReversed()
}

/** One answer for each call. */
const oneByOne = (calls: readonly TraceCall[]): readonly TraceEvent[] => calls.map((made) => step(made))

/** Rotations of more than four calls, one for each answer, or of answers with many calls. */
export const rotatingLoops = [
  ...[5, 6, 7, 8, 9, 10, 11, 12].map((length) =>
    loop(
      `reads ${length} files one after the other, over and over`,
      times(4, () => oneByOne(files(length))),
    ),
  ),
  ...[5, 8, 12, 20].map((length) =>
    loop(
      `reads ${length} files one after the other, in another order each time`,
      times(4, (round) => oneByOne(turned(files(length), round))),
    ),
  ),
  ...[1, 2, 3, 4, 5, 6].map((period) =>
    loop(
      `gives ${period} answers of ${period + 4} calls in rotation`,
      times(4, () => times(period, (at) => step(...files(period + 4, `p${at}`)))),
    ),
  ),
  ...[1, 2, 3, 4, 5, 6].map((period) =>
    loop(
      `gives ${period} answers of ${11 - period} calls in rotation, with their calls in changing order`,
      times(4, (round) => times(period, (at) => step(...turned(files(11 - period, `q${at}`), round + at)))),
    ),
  ),
  loop(
    "reads four groups of files, the groups in another order each time",
    times(4, (round) => turned([0, 1, 2, 3, 4], round).map((at) => step(...files(6, `g${at}`)))),
  ),
  loop(
    "reads three packages of 500 files in each answer",
    times(4, (round) => step(...turned(files(1500), round))),
  ),
  loop(
    "calls one tool 700 times in a single answer",
    step(...Array.from({ length: 700 }, () => read("a.ts", "1: a\n"))),
  ),
  loop(
    "reads twenty files one after the other again after each compaction",
    times(4, () => [oneByOne(files(20)), compact(1)].flat()),
  ),
  loop(
    "looks around, tests and undoes with git, then begins anew",
    times(4, () => [
      step(read("src/cart.ts", "1: total\n")),
      step(edit("src/cart.ts", "* 10", "* 5")),
      step(tests(1)),
      step(bash("git diff", "- * 10\n+ * 5")),
      step(bash("git checkout -- .", "Updated 1 path from the index")),
    ]),
  ),
  loop(
    "greps in circles after honest edits",
    times(5, (round) => [step(edit(`src/${round}.ts`, "a", "b")), step(tests(5 - round))]),
    times(4, () => oneByOne(missing)),
  ),
  loop(
    "tries six commands that fail in rotation",
    times(4, () =>
      oneByOne(
        ["npm start", "npm run dev", "node .", "npx vite", "npx serve", "make run"].map((command) =>
          bash(command, "Error: EADDRINUSE", 1),
        ),
      ),
    ),
  ),
  loop(
    "tries seven edits that fail in rotation",
    times(4, () =>
      oneByOne(Array.from({ length: 7 }, (_, at) => failing(edit("a.ts", `line ${at}`, "x"), "oldString not found"))),
    ),
  ),
  loop(
    "splits the same calls between two answers at another place each time",
    times(4, (round) => [step(...files(8).slice(0, round + 1)), step(...files(8).slice(round + 1))]),
  ),
  loop(
    "polls one job in a rotation of six calls until the end of time",
    times(32, () => [step(job("job_5", "Linking…")), oneByOne(files(5))].flat()),
  ),
  loop(
    "runs five checks far more often than it was asked to",
    prompt("Run the five checks twice."),
    times(5, () => oneByOne(Array.from({ length: 5 }, (_, at) => bash(`npm run check:${at}`, "ok")))),
  ),
  loop(
    "reads the clock in a rotation of five calls",
    times(24, (round) => [step(bash("date +%N", `${round * 7919}`)), oneByOne(files(4))].flat()),
  ),
]

export const rotatingHonest = [
  honest(
    "edits and tests for a long time",
    times(40, (round) => [step(edit("src/cart.ts", `value ${round}`, `value ${round + 1}`)), step(tests(1))]),
  ),
  honest(
    "edits, formats, lints, type-checks, builds and tests with the same results",
    times(12, (round) => [
      step(edit("src/lib.rs", `step ${round}`, `step ${round + 1}`)),
      ...["fmt", "clippy", "check", "build", "test"].map((command) => step(bash(`cargo ${command}`, "Finished"))),
    ]),
  ),
  honest(
    "edits, then runs six checks side by side with the same results",
    times(12, (round) => [
      step(edit("src/types.ts", `v${round}`, `v${round + 1}`)),
      step(...Array.from({ length: 6 }, (_, at) => bash(`npx tsc -p packages/p${at}`, "ok"))),
    ]),
  ),
  honest(
    "reads eight files again after its edits",
    oneByOne(files(8)),
    times(3, (round) => step(edit(`src/part-${round}.ts`, "part", "piece"))),
    oneByOne(files(8)),
  ),
  honest(
    "reads eight files twice side by side and edits between",
    times(2, (round) => [step(...files(8)), step(edit(`src/part-${round}.ts`, "part", "piece"))]),
    step(...files(8)),
    step(bash("npm run build", "ok")),
  ),
  honest(
    "looks at git between its steps",
    times(20, (round) => [step(edit(`src/page-${round}.ts`, "var ", "let ")), step(status(1)), step(tests(0))]),
  ),
  honest(
    "reads the same file now and then in a long session",
    times(40, (round) => [
      step(read("src/types.ts", "1: export type ID = string\n")),
      step(read(`src/feature-${round}.ts`, "1: //\n")),
      step(grep(`feature${round}`, "src/index.ts")),
      step(edit(`src/feature-${round}.ts`, "string", "ID")),
    ]),
  ),
  honest(
    "reads the same six files before each of several edits",
    times(8, (round) => [...oneByOne(files(6)), step(edit("src/main.ts", `${round}`, `${round + 1}`))]),
  ),
  honest(
    "reads six files twice in a row to compare them",
    times(2, () => oneByOne(files(6))),
    step(edit("src/part-1.ts", "part", "piece")),
  ),
  honest(
    "reads its files again after two compactions, with work after each",
    times(3, (round) =>
      [oneByOne(files(6)), step(edit(`src/part-${round}.ts`, "a", "b")), step(tests(1)), compact(1)].flat(),
    ),
  ),
  honest(
    "comes back to a few files in no fixed order while it writes others",
    times(30, (round) => [
      step(files(5)[round % 5] as TraceCall),
      step(files(5)[(round * 2) % 5] as TraceCall),
      step(edit(`out/${round}.ts`, "todo", "done")),
    ]),
  ),
  honest(
    "goes to and fro between files before it decides",
    [0, 1, 2, 0, 3, 1, 4, 2, 5, 0, 6, 3].map((at) => step(files(7)[at] as TraceCall)),
    step(edit("src/part-0.ts", "part", "piece")),
  ),
  honest(
    "polls six jobs in rotation",
    times(15, () => oneByOne(Array.from({ length: 6 }, (_, at) => job(`job_${at}`, "Compiling")))),
  ),
  honest(
    "polls a quiet job and looks at five sources meanwhile",
    times(6, () => [step(job("job_7", "Building…")), oneByOne(files(5))].flat()),
  ),
  honest(
    "waits for a pipeline of five stages",
    times(10, (round) =>
      oneByOne(
        Array.from({ length: 5 }, (_, at) => bash(`gh run view 81 --job ${at}`, at < round / 2 ? "done" : "queued")),
      ),
    ),
  ),
  honest(
    "runs five checks four times, as asked",
    prompt("Run the five checks four times and tell me whether one is flaky."),
    times(4, () => oneByOne(Array.from({ length: 5 }, (_, at) => bash(`npm run check:${at}`, "ok")))),
  ),
  honest(
    "runs the tests thirty times, as asked",
    prompt("Run the tests thirty times."),
    times(30, () => step(tests(0))),
  ),
  honest(
    "runs two suites in turn a thousand times, as far as is looked at",
    prompt("Run both suites 1,000 times."),
    times(50, () => [step(bash("npm run test:unit", "ok")), step(bash("npm run test:e2e", "ok"))]),
  ),
  honest(
    "works off a queue in five steps with the same names",
    times(15, (round) => [
      step(call("queue_next", {}, `item ${round}`)),
      step(call("queue_show", {}, `fields of ${round}`)),
      step(call("form_open", {}, "opened")),
      step(call("form_fill", {}, "filled")),
      step(call("form_send", {}, "sent")),
    ]),
  ),
  honest(
    "steps through a program and looks at its variables",
    times(15, (round) => [
      step(call("debugger", { command: "next" }, `main.c:${100 + round}`)),
      step(call("debugger", { command: "locals" }, `i = ${round}`)),
      step(call("debugger", { command: "stack" }, "main")),
      step(call("debugger", { command: "watch" }, "none")),
      step(call("debugger", { command: "threads" }, "1")),
    ]),
  ),
  honest(
    "plays a game with five keys",
    times(60, (round) =>
      step(
        call("press", { key: ["up", "down", "left", "right", "jump"][(round * round) % 5] ?? "" }, `score ${round}`),
      ),
    ),
  ),
  honest(
    "greps for many names, some of them twice",
    times(2, () => oneByOne(missing)),
    oneByOne(Array.from({ length: 12 }, (_, at) => grep(`other${at}`, "No matches found"))),
  ),
  honest(
    "is asked three times for the same five looks",
    times(4, () => [
      prompt("Look again."),
      ...oneByOne([status(1), list("src", "a.ts"), glob("*.md", "README.md"), ...files(2)]),
    ]),
  ),
]
