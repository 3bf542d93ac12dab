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
  prompt,
  read,
  say,
  step,
  times,
  write,
} from "./trace.ts"

const migration = "1: create table users (id text primary key);\n"
const pytest = (round: number) =>
  bash(
    "cd api && pytest -q tests/test_auth.py",
    `F.                                                     [100%]\n=== FAILURES ===\n>       assert token.exp == 3600\nE       assert 60 == 3600\n1 failed, 1 passed in 0.${30 + round}s`,
    1,
    `Run the auth tests (${round})`,
  )

export const heldOutLoops = [
  loop(
    "opens the same migration after a long search",
    times(12, (round) => step(read(`db/migrations/00${round}.sql`, `1: -- ${round}\n`))),
    times(5, () => step(read("db/migrations/007.sql", migration))),
  ),
  loop(
    "globs for a file that is not there",
    times(5, () => step(glob("**/webpack.config.*", "No files found"))),
  ),
  loop(
    "reads a missing file",
    times(4, () => step(failing(read("src/utils.ts", ""), "File not found: src/utils.ts"))),
  ),
  loop(
    "tries two spellings of a missing file in turn",
    times(4, () => [
      step(failing(read("README.rst", ""), "File not found: README.rst")),
      step(failing(read("Readme.md", ""), "File not found: Readme.md")),
    ]),
  ),
  loop(
    "searches in three places and begins anew",
    times(4, () => [
      step(grep("MAX_RETRIES", "No matches found", "src")),
      step(grep("MAX_RETRIES", "No matches found", "lib")),
      step(grep("MAX_RETRIES", "No matches found", "test")),
    ]),
  ),
  loop(
    "runs the same failing pytest and explains it differently each time",
    times(4, (round) => [
      say(
        ["The expiry is wrong.", "Let me check it.", "Hm, still failing.", "Once more."][round - 1] ?? "",
        pytest(round),
      ),
    ]),
  ),
  loop(
    "reads the test, runs it, reads the source, runs it",
    times(4, (round) => [
      step(read("api/tests/test_auth.py", "12: assert token.exp == 3600\n")),
      step(pytest(round)),
      step(read("api/auth.py", "8: EXP = 60\n")),
      step(pytest(round + 10)),
    ]),
  ),
  loop(
    "patches and reverts with git",
    times(4, () => [
      step(bash("git apply fix.patch", "")),
      step(bash("make check", "FAIL: alloc_test\nmake: *** [check] Error 1", 2)),
      step(bash("git checkout -- .", "Updated 2 paths from the index")),
    ]),
  ),
  loop(
    "applies a patch that does not apply",
    times(4, () =>
      step(
        bash("git apply fix.patch", "error: patch failed: src/alloc.c:88\nerror: src/alloc.c: patch does not apply", 1),
      ),
    ),
  ),
  loop(
    "starts a server on a port that is taken",
    times(4, (round) =>
      step(
        bash(
          "npm start",
          `Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle (node:net:1463:21)\npid: ${4000 + round * 37}`,
          1,
        ),
      ),
    ),
  ),
  loop(
    "is denied the same command again and again",
    times(4, () =>
      step(
        failing(
          bash("rm -rf build", ""),
          'The rule { permission: "bash", pattern: "rm *", action: "deny" } denies bash "rm -rf build".',
        ),
      ),
    ),
  ),
  loop(
    "edits a file that it has not read",
    times(4, () =>
      step(failing(edit("lib/queue.rb", "def pop", "def shift"), "Read lib/queue.rb before you edit it.")),
    ),
  ),
  loop(
    "reads and fails to edit with a look at git in between",
    times(4, () => [
      step(read("lib/queue.rb", "1: class Queue\n")),
      step(
        failing(edit("lib/queue.rb", "  def pop ", "  def shift "), "oldString was found 2 times; give more context."),
      ),
      step(bash("git diff", "(no output)")),
    ]),
  ),
  loop(
    "overwrites a file and reads it back",
    times(4, () => [step(write("Dockerfile", "FROM node:24\n")), step(read("Dockerfile", "1: FROM node:24\n"))]),
  ),
  loop(
    "reads a directory side by side with a file, in any order",
    times(4, (round) => {
      const calls = [list("src", "a.go\nb.go"), read("go.mod", "module a\n"), grep("func main", "main.go")]
      return step(...(round % 2 ? calls : calls.toReversed()))
    }),
  ),
  loop(
    "re-reads four files after every compaction",
    times(4, () => [
      ...["lexer", "parser", "checker", "emitter"].map((name) => step(read(`src/${name}.ts`, `1: // ${name}\n`))),
      compact(),
    ]),
  ),
  loop(
    "re-reads after compactions that keep the last two answers",
    times(4, () => [
      step(grep("export class", "src/a.ts\nsrc/b.ts")),
      step(read("src/a.ts", "1: export class A {}\n")),
      step(read("src/b.ts", "1: export class B {}\n")),
      compact(2),
    ]),
  ),
  loop(
    "begins its todos anew after each compaction",
    times(5, () => [step(call("todoread", {}, "[ ] port the parser")), step(list(".", "src/\nCargo.toml")), compact()]),
  ),
  loop(
    "is told to go on and runs in circles in the new turn",
    times(2, () => step(read("a.py", "1: x\n"))),
    prompt("Go on."),
    times(4, () => step(read("a.py", "1: x\n"))),
  ),
  loop(
    "polls and reads the same file until the end of time",
    times(32, () => [step(job("job_3", "waiting for lock")), step(read("lock.json", '{"owner":"ci"}'))]),
  ),
  loop(
    "polls while every edit fails",
    times(4, () => [
      step(job("dev", "watching for changes")),
      step(failing(edit("index.html", "<h1>", "<h2>"), "oldString not found")),
    ]),
  ),
  loop(
    "fetches the same documentation",
    times(4, () =>
      step(call("webfetch", { url: "https://example.com/docs/config", format: "markdown" }, "# Config\n\nSee below.")),
    ),
  ),
  loop(
    "lints, with the findings in another order each time",
    times(4, (round) => {
      const findings = ["a.ts:1 no-var", "b.ts:9 eqeqeq", "c.ts:4 no-empty"]
      return step(bash("npx eslint .", [...findings.slice(round % 3), ...findings.slice(0, round % 3)].join("\n"), 1))
    }),
  ),
  loop(
    "creates a request under another id each time",
    times(4, (round) =>
      step(bash("node cli.js deploy", `request 0f8fad5b-d9cb-469f-a165-70867728950${round} failed: quota exceeded`, 1)),
    ),
  ),
  loop(
    "gets a new stack with new addresses each time",
    times(4, (round) =>
      step(
        bash(
          "./a.out",
          `AddressSanitizer: heap-use-after-free on 0x60200000${1000 + round * 16}\n    #0 0x5581c0de${1000 + round} in main main.c:7`,
          1,
        ),
      ),
    ),
  ),
  loop(
    "asks a subagent the same question one time after the other",
    times(4, () => step(call("task", { agent: "explore", prompt: "Where is the retry logic?" }, "In src/retry.ts."))),
  ),
  loop(
    "a subtle circle of four different tools",
    times(4, () => [
      step(list("config", "dev.yml\nprod.yml")),
      step(read("config/prod.yml", "retries: 3\n")),
      step(grep("retries", "config/prod.yml\n  Line 1: retries: 3")),
      step(bash("git log -1 --format=%s", "Set retries")),
    ]),
  ),
  loop(
    "a circle that began after progress",
    times(5, (round) => step(edit("a.go", `v${round}`, `v${round + 1}`))),
    times(4, () => [
      step(bash("go vet ./...", "# a\n./a.go:9:2: unreachable code", 1)),
      step(read("a.go", "9: return\n")),
    ]),
  ),
  loop(
    "apologises in a circle",
    say("I apologize for the confusion. Let me try again with the correct path. ".repeat(12)),
  ),
  loop(
    "a paragraph of a thousand characters in a circle",
    say(
      (
        "First I read the scheduler, which keeps a heap of timers and wakes when the first is due. Then I read the worker, which takes a job and reports its end. " +
        "Between the two lies the queue, and the queue is where a job can be lost: it is taken from the heap before the worker has confirmed it. " +
        "The fix has to hold the job until the confirmation comes, and to give it back when the worker dies. "
      ).repeat(13),
    ),
  ),
  loop(
    "a circle of sentences with the same beginning",
    say(
      "I will check the file src/alpha. I will check the file src/alpha. I will check the file src/beta. I will check the file src/beta. ".repeat(
        12,
      ),
    ),
  ),
  loop("a circle in another script", say("設定ファイルをもう一度確認します。問題の原因を調べています。".repeat(14))),
  loop("a short step that is planned for ever", say("Next steps:\n" + "1. Run the tests again.\n".repeat(20))),
  loop("code that is written for ever", say("```ts\n" + "    expect(result.value).toBe(true)\n".repeat(80))),
  loop(
    "gives the same explanation while it opens other files",
    times(5, (round) =>
      say(
        "Looking at the error more closely, it is thrown by the validation layer when the payload is missing the tenant. I will look for where the tenant is set.",
        grep(`tenant${round}`, "No matches found"),
      ),
    ),
  ),
  loop(
    "repeats its farewell after each nudge to go on",
    times(4, () => [
      say("The migration is finished and all of the tests pass. Let me know if you need anything else!"),
      compact(1),
    ]),
  ),
]
