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
  prompt,
  read,
  say,
  step,
  times,
  write,
} from "./trace.ts"

const tests = (failed: number) =>
  bash("npm test", ` Tests  ${failed} failed | ${42 - failed} passed (42)\n   Duration  2.31s`, failed ? 1 : 0)

export const tunedHonest = [
  honest(
    "polls a build in the background",
    times(12, (round) => step(job("job_1", `[${round * 8}/100] Compiling…`))),
  ),
  honest(
    "polls a quiet build in the background",
    times(20, () => step(job("job_1", "Linking…"))),
  ),
  honest(
    "sleeps between looks at a run of CI",
    times(15, () => step(bash("sleep 60 && gh run view 8123 --json status", '{"status":"in_progress"}'))),
  ),
  honest(
    "looks at a run of CI without sleeping",
    times(6, () => step(bash("gh pr checks 41", "build  pending  0  https://ci/1"))),
  ),
  honest(
    "follows a log",
    times(9, (round) =>
      step(bash("tail -n 3 server.log", `GET /a ${round}\nGET /b ${round + 1}\nGET /c ${round + 2}`)),
    ),
  ),
  honest(
    "waits for a port",
    times(5, () => step(bash("curl -s localhost:3000/health", "", 7))),
    step(bash("curl -s localhost:3000/health", "ok")),
  ),
  honest(
    "counts what a process has written so far",
    times(8, (round) => step(bash("wc -l out.csv", `${round * 1021} out.csv`))),
  ),
  honest(
    "tests, edits, tests",
    times(8, (round) => [step(tests(9 - round)), step(edit("src/cart.ts", `value ${round}`, `value ${round + 1}`))]),
  ),
  honest(
    "tests, edits, tests, with the same failure",
    times(6, (round) => [step(tests(1)), step(edit("src/cart.ts", `guess ${round}`, `guess ${round + 1}`))]),
  ),
  honest(
    "reads, edits and tests the same file in turn",
    times(6, (round) => [
      step(read("src/cart.ts", `1: const rate = ${round}\n`)),
      step(edit("src/cart.ts", `const rate = ${round}`, `const rate = ${round + 1}`)),
      step(tests(2)),
    ]),
  ),
  honest(
    "looks at git between edits",
    times(6, (round) => [
      step(edit(`src/page-${round}.ts`, "var ", "let ")),
      step(bash("git status --short", Array.from({ length: round }, (_, at) => ` M src/page-${at + 1}.ts`).join("\n"))),
    ]),
  ),
  honest(
    "reads a file in pages",
    times(12, (round) => step(read("src/big.ts", `${round * 200}: …\n`, { offset: round * 200, limit: 200 }))),
  ),
  honest(
    "tries once more after a failure",
    step(bash("npm ci", "npm error network ECONNRESET", 1)),
    step(bash("npm ci", "added 412 packages in 9s")),
  ),
  honest(
    "tries twice more after a failure, with another result each time",
    step(bash("npm ci", "npm error network ECONNRESET", 1)),
    step(bash("npm ci", "npm error network ETIMEDOUT", 1)),
    step(bash("npm ci", "added 412 packages in 9s")),
  ),
  honest(
    "runs similar commands",
    times(10, (round) => step(bash(`node scripts/seed.mjs --shard ${round}`, "done"))),
  ),
  honest(
    "tests one file after the other with the same result",
    times(8, (round) => step(bash(`npx vitest run src/part-${round}.test.ts`, "Tests  4 passed (4)"))),
  ),
  honest(
    "lists a directory and reads what is in it",
    times(6, (round) => [
      step(list(`packages/p${round}`, "index.ts\npackage.json")),
      step(read(`packages/p${round}/index.ts`, "export {}")),
    ]),
  ),
  honest(
    "reads many files side by side",
    step(...Array.from({ length: 12 }, (_, at) => read(`src/${at}.ts`, "export {}"))),
  ),
  honest("asks for the same file twice in one answer", step(read("a.ts", "1: a\n"), read("a.ts", "1: a\n"))),
  honest(
    "asks three helpers the same question",
    step(...Array.from({ length: 3 }, () => call("task", { prompt: "Review the patch." }, "Looks good."))),
  ),
  honest(
    "reads a file again after it was compacted away",
    step(read("a.ts", "1: a\n")),
    compact(),
    step(read("a.ts", "1: a\n")),
    step(edit("a.ts", "a", "b")),
    step(read("a.ts", "1: b\n")),
  ),
  honest(
    "is asked for the same thing in three turns",
    step(bash("git status", "nothing to commit")),
    prompt("And now?"),
    step(bash("git status", "nothing to commit")),
    prompt("Again, please."),
    step(bash("git status", "nothing to commit")),
    prompt("Once more."),
    step(bash("git status", "nothing to commit")),
  ),
  honest(
    "greps for one name after the other",
    times(7, (round) => step(grep(`legacy${round}`, "No matches found"))),
  ),
  honest(
    "comes back to a file now and then",
    times(6, (round) => [
      step(read("src/types.ts", "1: export type ID = string\n")),
      step(read(`src/feature-${round}.ts`, "1: //\n")),
      step(edit(`src/feature-${round}.ts`, "string", "ID")),
    ]),
  ),
  honest(
    "mends an edit that failed",
    step(failing(edit("a.ts", "x", "y"), "oldString not found")),
    step(read("a.ts", "1: xx\n")),
    step(failing(edit("a.ts", "x ", "y"), "oldString not found")),
    step(edit("a.ts", "xx", "y")),
  ),
  honest(
    "builds after each of several fixes",
    times(5, (round) => [
      step(bash("cargo build", `error[E0308]: mismatched types\n --> src/l${round}.rs`, 101)),
      step(edit(`src/l${round}.rs`, "i32", "u32")),
    ]),
  ),
  honest(
    "bisects",
    times(7, (round) => [
      step(bash("git bisect run-one ./check.sh || true", `Bisecting: ${128 >> round} revisions left`)),
      step(bash(`git bisect ${round % 2 ? "good" : "bad"}`, `[c0ffee${round}] commit ${round}`)),
    ]),
  ),
  honest(
    "steps through a debugger",
    times(9, (round) => step(call("debugger", { command: "next" }, `stopped at main.c:${100 + round}`))),
  ),
  honest(
    "pages through an API",
    times(8, (round) => step(call("webfetch", { url: `https://example.com/items?page=${round}` }, "[…]"))),
  ),
  honest(
    "writes a wide table",
    say(`| Name | State | Since |\n|------|-------|-------|\n${"| worker | idle | never |\n".repeat(24)}`),
  ),
  honest(
    "writes a table of rows that look alike",
    say(
      `| Id | Name |\n|----|----|\n${Array.from({ length: 60 }, (_, at) => `| ${at} | The customer with number ${at} |`).join("\n")}`,
    ),
  ),
  honest("draws rulers", say(`Section\n${"-".repeat(900)}\n${"=".repeat(700)}\n${"-=".repeat(300)}`)),
  honest("draws a box", say(`+${"-".repeat(60)}+\n${`|${" ".repeat(60)}|\n`.repeat(18)}+${"-".repeat(60)}+`)),
  honest(
    "lists paths",
    say(Array.from({ length: 80 }, (_, at) => `packages/core/src/session/feature/part-${at}/index.ts`).join("\n")),
  ),
  honest(
    "writes JSON of one shape",
    say(`[${Array.from({ length: 50 }, (_, at) => `{"id":${at},"name":"user","roles":["read","write"]}`).join(",")}]`),
  ),
  honest("writes a matrix of zeros", say(`const board = [\n${"  [0, 0, 0, 0, 0, 0, 0, 0],\n".repeat(32)}]`)),
  honest(
    "writes base64 of an empty picture",
    say(
      `data:image/png;base64,iVBORw0KGgo${"A".repeat(800)}${"//////////////////////////////////////////////////////////////////////AAAAAA\n".repeat(30)}`,
    ),
  ),
  honest(
    "announces its next test in the same words",
    times(6, (round) => [
      say("Now let me run the tests.", tests(7 - round)),
      say("Let me fix the next one.", edit("a.ts", `${round}`, `${round + 1}`)),
    ]),
  ),
  honest(
    "writes many files of the same content",
    times(6, (round) => step(write(`packages/p${round}/.npmrc`, "save-exact=true"))),
  ),
  honest(
    "globs, then globs closer",
    step(glob("**/*.ts", "100 files")),
    step(glob("src/**/*.ts", "60 files")),
    step(glob("src/**/*.test.ts", "20 files")),
  ),
]
