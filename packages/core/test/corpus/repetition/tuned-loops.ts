import {
  bash,
  call,
  compact,
  edit,
  failing,
  glob,
  grep,
  job,
  list,
  loop,
  read,
  say,
  step,
  times,
  write,
} from "./trace.ts"

const config = "1: export const port = 3000\n2: export const host = 'localhost'\n"
const users = "src/user.ts\n  Line 14: export function findUser(id: string) {"
const notFound = "oldString not found in src/server.ts. The closest text is at line 41:\n  app.listen(port, host)"

/** A failing run that takes a little longer or shorter each time. */
const failingTests = (round: number) =>
  bash(
    "npm test",
    ` FAIL  src/cart.test.ts > totals\nexpected 30 to be 25\n\n Tests  1 failed | 41 passed (42)\n   Start at  14:0${round}:11\n   Duration  ${(2 + round / 7).toFixed(2)}s`,
    1,
    ["Run the tests", "Run tests again", "Check whether tests pass", "Verify the fix", "Run test suite"][round % 5],
  )

export const tunedLoops = [
  loop(
    "reads one file for ever",
    times(5, () => step(read("src/config.ts", config))),
  ),
  loop(
    "reads one file for ever, after real work",
    step(list(".", "src/\ntest/\npackage.json")),
    step(glob("src/**/*.ts", "src/config.ts\nsrc/server.ts")),
    step(read("src/server.ts", "1: import { port } from './config'\n")),
    step(edit("src/server.ts", "port", "PORT")),
    times(4, () => step(read("src/config.ts", config))),
  ),
  loop(
    "writes the order of the arguments differently",
    times(4, (round) =>
      step(call("read", round % 2 ? { filePath: "a.ts", limit: 50 } : { limit: 50, filePath: "a.ts" }, "1: a\n")),
    ),
  ),
  loop(
    "greps what is not there",
    times(4, () => step(grep("handleLegacyAuth", "No matches found", "src"))),
  ),
  loop(
    "alternates read and grep",
    times(4, () => [
      step(read("src/user.ts", "14: export function findUser(id: string) {\n")),
      step(grep("findUser", users)),
    ]),
  ),
  loop(
    "alternates read and a failing edit",
    times(4, () => [
      step(read("src/server.ts", "41: app.listen(port, host)\n")),
      step(failing(edit("src/server.ts", "app.listen(PORT)", "app.listen(PORT, HOST)"), notFound)),
    ]),
  ),
  loop(
    "retries a failing edit as it is",
    times(4, () => step(failing(edit("src/server.ts", "app.listen(3000)", "app.listen(4000)"), notFound))),
  ),
  loop(
    "runs the same failing tests without an edit in between",
    times(4, (round) => step(failingTests(round))),
  ),
  loop(
    "looks at the tests and the source and changes nothing",
    times(4, (round) => [
      step(failingTests(round)),
      step(read("src/cart.ts", "1: export const total = (items) => items.length * 10\n")),
      step(read("src/cart.test.ts", "8: expect(total(items)).toBe(25)\n")),
    ]),
  ),
  loop(
    "changes a line there and back with the tests in between",
    times(4, (round) => [
      step(edit("src/cart.ts", "items.length * 10", "items.length * 5")),
      step(failingTests(round)),
      step(edit("src/cart.ts", "items.length * 5", "items.length * 10")),
      step(failingTests(round + 1)),
    ]),
  ),
  loop(
    "changes a line there and back",
    times(4, () => [
      step(edit("a.css", "color: red", "color: blue")),
      step(edit("a.css", "color: blue", "color: red")),
    ]),
  ),
  loop(
    "writes the same file again and again",
    times(4, () => step(write("notes.md", "# Notes\n\nNothing yet.\n"))),
  ),
  loop(
    "calls a tool that does not exist",
    times(4, () =>
      step(failing(call("search_web", { query: "vitest 5 migration" }, ""), 'There is no tool "search_web".')),
    ),
  ),
  loop(
    "leaves out an argument that is needed",
    times(4, () => step(failing(call("edit", { filePath: "a.ts" }, ""), "edit needs oldString and newString."))),
  ),
  loop(
    "reads the same three files again after each compaction",
    times(4, () => [
      step(read("src/a.ts", "1: a\n")),
      step(read("src/b.ts", "1: b\n")),
      step(read("src/c.ts", "1: c\n")),
      compact(),
    ]),
  ),
  loop(
    "reads the same two files again after each compaction with a tail",
    times(4, () => [step(read("docs/plan.md", "1. Parser\n")), step(read("src/parser.ts", "1: //\n")), compact(1)]),
  ),
  loop(
    "lists and globs in circles",
    times(4, () => [
      step(list("src", "a.ts\nb.ts")),
      step(glob("src/*.ts", "src/a.ts\nsrc/b.ts")),
      step(list("test", "a.test.ts")),
      step(glob("test/*.ts", "test/a.test.ts")),
    ]),
  ),
  loop(
    "reads two files side by side, over and over",
    times(4, (round) =>
      round % 2
        ? step(read("a.ts", "1: a\n"), read("b.ts", "1: b\n"))
        : step(read("b.ts", "1: b\n"), read("a.ts", "1: a\n")),
    ),
  ),
  loop(
    "asks for the same call twice in each answer",
    times(4, () => step(grep("TODO", "src/a.ts\n  Line 3: // TODO"), grep("TODO", "src/a.ts\n  Line 3: // TODO"))),
  ),
  loop(
    "asks for one call twenty times in one answer",
    step(...Array.from({ length: 20 }, () => read("a.ts", "1: a\n"))),
  ),
  loop(
    "type-checks without a change in between",
    times(4, (round) =>
      step(
        bash(
          "npx tsc --noEmit",
          "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
          2,
          `Type check, attempt ${round}`,
        ),
      ),
    ),
  ),
  loop(
    "installs what cannot be installed",
    times(4, (round) =>
      step(
        bash(
          "npm install left-padd",
          `npm error code E404\nnpm error 404 'left-padd@*' is not in this registry.\nnpm error A complete log of this run can be found in: /home/dev/.npm/_logs/2026-11-21T14_0${round}_11_482Z-debug-0.log`,
          1,
        ),
      ),
    ),
  ),
  loop(
    "reads the clock",
    times(24, (round) => step(bash("date", `Sat Nov 21 14:${10 + round}:09 UTC 2026`))),
  ),
  loop(
    "draws random numbers for ever",
    times(24, (round) => step(bash("head -c 4 /dev/urandom | xxd -p", ((round * 2_654_435_761) >>> 0).toString(16)))),
  ),
  loop(
    "polls a job that does not exist",
    times(4, () => step(failing(job("job_9", ""), "No job job_9. Jobs: none."))),
  ),
  loop(
    "polls a job that hangs",
    times(40, () => step(job("job_1", "Linking…"))),
  ),
  loop(
    "writes its list of todos anew instead of working",
    times(4, () =>
      step(call("todowrite", { todos: [{ content: "Fix the parser", status: "in_progress" }] }, "1 todo")),
    ),
  ),
  loop(
    "fetches a page that is gone",
    times(4, () => step(failing(call("webfetch", { url: "https://example.com/api/v1" }, ""), "404 Not Found"))),
  ),
  loop(
    "reads a page, greps, reads the page",
    times(4, () => [
      step(read("src/big.ts", "400: }\n", { offset: 400, limit: 200 })),
      step(grep("class Scheduler", "src/big.ts\n  Line 212: class Scheduler {", "src/big.ts")),
      step(read("src/big.ts", "212: class Scheduler {\n", { offset: 200, limit: 200 })),
    ]),
  ),
  loop(
    "writes one sentence for ever",
    say("Let me look at the code.\n" + "I will now check the configuration file. ".repeat(30)),
  ),
  loop(
    "writes one paragraph for ever",
    say(
      "The problem lies in how the cache is invalidated: an entry that is written while it is read keeps its old version, and the next reader gets it. To be sure of that I should look at the writer first.\n\n".repeat(
        14,
      ),
    ),
  ),
  loop(
    "writes the same two lines for ever",
    say("Plan:\n" + "- Update the handler to use the new API\n- Make sure that the tests still pass\n".repeat(15)),
  ),
  loop("chants", say("I see. " + "no no no no ".repeat(80))),
  loop(
    "gives the same long answer between different calls",
    times(4, (round) => [
      say(
        "I understand the problem now. The handler does not await the promise, so the error is lost. Let me fix it by adding the missing await.",
        read(`src/handler-${round}.ts`, `1: handler ${round}\n`),
      ),
    ]),
  ),
  loop(
    "says that it is done and is sent on",
    times(4, () => [say("All tasks are complete. There is nothing left to do."), compact()]),
  ),
]
