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

export const lateHonest = [
  honest(
    "waits for a deployment by its own tool",
    times(12, (round) => step(call("deploy_status", { id: "d1" }, `${Math.min(100, round * 9)}% (step ${round})`))),
  ),
  honest(
    "waits for a test database",
    times(8, () => step(bash("pg_isready -h localhost", "localhost:5432 - no response", 2))),
    step(bash("pg_isready -h localhost", "accepting connections")),
  ),
  honest(
    "reads the output of a job until it ends, with work in between",
    times(6, (round) => [
      step(job("e2e", `${round} of 6 passed`)),
      step(edit(`e2e/${round}.ts`, "wait(100)", "await idle()")),
    ]),
  ),
  honest(
    "fixes type errors one by one",
    times(9, (round) => [
      step(bash("npx tsc --noEmit", `Found ${10 - round} errors`, 2)),
      step(read("src/types.ts", `${round}: type T = any\n`, { offset: round, limit: 5 })),
      step(edit("src/types.ts", `any /*${round}*/`, "unknown")),
    ]),
  ),
  honest(
    "tries four ways to start a server",
    ...["npm start", "npm run dev", "node server.js", "npx vite"].map((command) =>
      step(bash(command, "Error: EADDRINUSE", 1)),
    ),
  ),
  honest(
    "kills and restarts a server once",
    step(bash("npm start", "EADDRINUSE", 1)),
    step(bash("lsof -ti :3000", "4121")),
    step(bash("kill 4121", "")),
    step(bash("npm start", "listening")),
  ),
  honest(
    "measures three times, with other figures each time",
    times(3, (round) => step(bash("hyperfine ./a.out", `Range ${round * 3} … ${round * 9} runs, ${round * 1711} ops`))),
  ),
  honest(
    "adds one translation after the other and checks each",
    times(6, (round) => [
      step(write(`i18n/l${round}.json`, "{}")),
      step(bash("node scripts/check-i18n.mjs", `missing: ${40 - round}`, 1)),
    ]),
  ),
  honest(
    "reads before each of several edits to one file",
    times(6, (round) => [
      step(read("app.py", `${round}: pass\n`.repeat(round))),
      step(edit("app.py", `pass # ${round}`, "return")),
    ]),
  ),
  honest(
    "takes todos off the list",
    times(6, (round) => [
      step(
        call(
          "todowrite",
          { todos: Array.from({ length: 6 }, (_, at) => ({ content: `${at}`, done: at < round })) },
          "6 todos",
        ),
      ),
      step(edit(`m${round}.ts`, "old", "new")),
    ]),
  ),
  honest("walks a tree", ...["src", "src/a", "src/a/b", "src/a/b/c"].map((path) => step(list(path, "index.ts")))),
  honest(
    "greps, reads two hits, greps again",
    step(grep("emit", "a.ts\nb.ts")),
    step(read("a.ts", "emit")),
    step(read("b.ts", "emit")),
    step(grep("emit", "a.ts\nb.ts")),
    step(edit("a.ts", "emit", "publish")),
    step(grep("emit", "b.ts")),
  ),
  honest(
    "compacts twice and reads the plan each time",
    times(2, () => [step(read("PLAN.md", "- step\n")), compact()]),
    step(edit("a.ts", "a", "b")),
  ),
  honest(
    "steps forward in a REPL",
    times(9, (round) => step(call("repl", { code: "next(it)" }, `${round * round}`))),
  ),
  honest(
    "presses the same key in a game",
    times(8, (round) => step(call("press", { key: "right" }, `x=${round}`))),
  ),
  honest(
    "asks for three samples in one answer, twice",
    times(2, () => step(...Array.from({ length: 3 }, () => call("draft", { topic: "intro" }, "Once")))),
  ),
  honest(
    "gets the same permission refused twice and gives up",
    times(2, () => step(failing(bash("sudo make install", ""), "denied"))),
    say("I cannot install it without your permission: please run it yourself."),
  ),
  honest(
    "answers three short questions with the same words",
    times(4, () => [prompt("Is it done?"), say("Yes, everything is done and the tests pass.")]),
  ),
  honest(
    "globs in three packages with the same result",
    times(6, (round) => step(glob(`packages/${round}/*.md`, "README.md"))),
  ),
  honest(
    "a numbered list",
    say(
      Array.from({ length: 50 }, (_, at) => `${at + 1}. Check that the service answers the request in time`).join("\n"),
    ),
  ),
  honest(
    "CSS of one shape",
    say(Array.from({ length: 50 }, (_, at) => `.mt-${at} {\n  margin-top: ${at * 4}px;\n}`).join("\n")),
  ),
  honest(
    "SQL inserts",
    say(
      "```sql\n" +
        Array.from({ length: 60 }, (_, at) => `insert into users (id, name) values (${at}, 'anonymous');`).join("\n") +
        "\n```",
    ),
  ),
  honest(
    "a progress bar",
    say(Array.from({ length: 20 }, (_, at) => `[${"#".repeat(at)}${".".repeat(20 - at)}] ${at * 5} %`).join("\n")),
  ),
  honest(
    "a skeleton of tests",
    say("```ts\n" + Array.from({ length: 30 }, (_, at) => `it.todo("handles case ${at}")`).join("\n") + "\n```"),
  ),
  honest("a checklist with empty boxes", say("- [ ] \n".repeat(60))),
]
