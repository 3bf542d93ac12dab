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

const go = (package_: string, ok: boolean) =>
  bash(
    `go test ./${package_}/...`,
    ok ? `ok   app/${package_} 0.12s` : `--- FAIL: TestRead\nFAIL app/${package_} 0.12s`,
    ok ? 0 : 1,
  )

export const heldOutHonest = [
  honest(
    "waits for a rollout",
    times(14, (round) =>
      step(
        bash(
          "kubectl -n shop rollout status deploy/web --timeout=20s",
          `Waiting: ${Math.floor(round / 5)} of 3 updated replicas are available`,
        ),
      ),
    ),
  ),
  honest(
    "waits for pods that stay pending",
    times(10, (round) => step(bash("kubectl get pods -n shop", `web-1  0/1  ContainerCreating  0  ${round * 12}s`))),
  ),
  honest(
    "looks at a container until it is healthy",
    times(6, () => step(bash("docker compose ps", "db  starting"))),
    step(bash("docker compose ps", "db  healthy")),
  ),
  honest(
    "waits for a download of which it sees the size",
    times(10, (round) => step(bash("ls -l model.bin", `-rw-r--r-- 1 me me ${round * 7_340_032} model.bin`))),
  ),
  honest(
    "watches a queue drain",
    times(9, (round) => step(call("mcp_queue_depth", { queue: "mail" }, `${900 - round * 100} messages`))),
  ),
  honest(
    "polls a job and reads its report when it is done",
    times(7, (round) => step(job("job_2", "running ".repeat(round)))),
    step(read("report.json", '{"ok":true}')),
  ),
  honest(
    "polls two jobs in turn",
    times(12, () => [step(job("api", "Compiling")), step(job("web", "Bundling"))]),
  ),
  honest(
    "polls a quiet job while it looks at a source file",
    times(6, () => [step(job("job_4", "Building…")), step(read("Makefile", "all: a.o\n"))]),
  ),
  honest(
    "waits with a growing pause",
    times(6, (round) =>
      step(bash(`sleep ${2 ** round}; cat result.txt`, "cat: result.txt: No such file or directory", 1)),
    ),
  ),
  honest(
    "fixes one failing package after the other",
    times(5, (round) => [
      step(go(`p${round}`, false)),
      step(edit(`p${round}/read.go`, "i < n", "i <= n")),
      step(go(`p${round}`, true)),
    ]),
  ),
  honest(
    "formats, lints and tests after every edit",
    times(5, (round) => [
      step(edit("src/lib.rs", `step ${round}`, `step ${round + 1}`)),
      step(bash("cargo fmt", "(no output)")),
      step(bash("cargo clippy", "Finished dev in 0.4s")),
      step(bash("cargo test", "test result: ok. 12 passed")),
    ]),
  ),
  honest(
    "removes unused exports until none is left",
    times(6, (round) => [
      step(bash("npx knip", `Unused exports (${7 - round})`, 1)),
      step(edit(`src/m${round}.ts`, "export const", "const")),
    ]),
  ),
  honest(
    "answers the same build error with different attempts",
    times(6, (round) => [
      step(bash("make", "undefined reference to `pthread_create'", 2)),
      step(
        write(
          "Makefile",
          `LDFLAGS=${["-pthread", "-lpthread", "-static", "-Wl,--no-as-needed", "-lrt", "-lc"][round - 1]}`,
        ),
      ),
    ]),
  ),
  honest(
    "reads the end and the beginning of a file",
    step(read("a.log", "1\n")),
    step(read("a.log", "900\n", { offset: 900 })),
    step(read("a.log", "1\n")),
  ),
  honest(
    "looks twice at the tests that pass",
    step(bash("npm test", "42 passed")),
    step(bash("npm test", "42 passed")),
  ),
  honest(
    "reads a long log backwards",
    times(10, (round) => step(bash(`tail -n ${round * 100} app.log | head -n 100`, `${round}`))),
  ),
  honest(
    "greps with one pattern in many places",
    times(8, (round) => step(grep("deprecated", "No matches found", `packages/p${round}`))),
  ),
  honest(
    "opens what grep has found",
    step(grep("oldName", "8 files")),
    times(8, (round) => [
      step(read(`src/f${round}.ts`, "1: oldName()\n")),
      step(edit(`src/f${round}.ts`, "oldName", "newName")),
    ]),
    step(grep("oldName", "No matches found")),
  ),
  honest(
    "commits after each change",
    times(5, (round) => [
      step(edit("CHANGES.md", `- ${round}`, `- ${round + 1}`)),
      step(bash("git add -A && git commit -qm wip", "(no output)")),
      step(bash("git log -1 --format=%h", `a1b2c${round}`)),
    ]),
  ),
  honest(
    "undoes and redoes in an editor that moves on",
    times(6, (round) => [step(call("editor", { key: "undo" }, `change ${20 - round}`))]),
  ),
  honest(
    "draws the next work item from a queue",
    times(12, (round) => step(call("mcp_next_task", {}, `task ${round}`))),
  ),
  honest(
    "draws work items and works on them",
    times(10, (round) => [
      step(call("mcp_next_task", {}, `translate ${round}`)),
      step(write(`out/${round}.txt`, `${round}`)),
    ]),
  ),
  honest(
    "scrolls through a page in a browser",
    times(10, (round) => step(call("browser_scroll", { direction: "down" }, `y=${round * 600}`))),
  ),
  honest(
    "takes a picture after every click",
    times(6, (round) => [
      step(call("browser_click", { selector: `#b${round}` }, "clicked")),
      step(call("screenshot", {}, `<image ${round * 31}>`)),
    ]),
  ),
  honest(
    "reads files again after a compaction, once",
    step(read("a.ts", "a"), read("b.ts", "b")),
    compact(),
    step(read("a.ts", "a"), read("b.ts", "b")),
    step(edit("a.ts", "a", "c")),
    compact(),
    step(read("b.ts", "b")),
    step(edit("b.ts", "b", "d")),
  ),
  honest(
    "is asked three times to run the tests",
    times(4, () => [
      prompt("Run the tests."),
      step(bash("npm test", "42 passed")),
      say("All 42 tests pass, nothing is failing or skipped."),
    ]),
  ),
  honest(
    "gets other answers for the same broken call",
    step(failing(call("mcp_sql", { q: "select 1" }, ""), "connection refused")),
    step(failing(call("mcp_sql", { q: "select 1" }, ""), "role does not exist")),
    step(call("mcp_sql", { q: "select 1" }, "1")),
  ),
  honest(
    "ten subagents at once",
    step(...Array.from({ length: 10 }, (_, at) => call("task", { prompt: `Review part ${at}.` }, "Fine."))),
  ),
  honest(
    "four samples of one question at once",
    step(...Array.from({ length: 4 }, () => call("mcp_sample", { prompt: "Name the module." }, "parser"))),
  ),
  honest(
    "runs the tests five times in a row to see whether they are flaky",
    times(5, () => step(bash("npx vitest run src/flaky.test.ts", "Tests  1 passed (1)"))),
  ),
  honest(
    "compares directories",
    times(6, (round) => [step(list(`a/${round}`, "x.ts")), step(list(`b/${round}`, "x.ts"))]),
  ),
  honest(
    "globs for one extension after the other",
    times(6, (round) => step(glob(`**/*.${["js", "ts", "tsx", "mjs", "cjs", "vue"][round - 1]}`, "No files found"))),
  ),
  honest(
    "a README with a large table of options",
    say(
      Array.from(
        { length: 40 },
        (_, at) => `| \`--option-${at}\` | string | The name of the thing that is used for step ${at}. |`,
      ).join("\n"),
    ),
  ),
  honest(
    "a changelog of lines alike",
    say(Array.from({ length: 40 }, (_, at) => `- Update dependency number ${at} to its newest version`).join("\n")),
  ),
  honest(
    "a tree of directories",
    say(Array.from({ length: 40 }, (_, at) => `├── component-${at}\n│   ├── index.ts\n│   └── style.css`).join("\n")),
  ),
  honest(
    "a schema with the same field shape",
    say(
      `{${Array.from({ length: 30 }, (_, at) => `"f${at}":{"type":"string","description":"The value of the field","nullable":true}`).join(",")}}`,
    ),
  ),
  honest(
    "an unrolled loop",
    say(
      "```c\n" + Array.from({ length: 64 }, (_, at) => `  sum += values[${at}] * weights[${at}];`).join("\n") + "\n```",
    ),
  ),
  honest(
    "test fixtures with equal rows",
    say("```ts\n" + '  { name: "anonymous", visits: 0, active: false },\n'.repeat(16) + "```"),
  ),
  honest(
    "a log that is quoted",
    say(
      "The log says:\n```\n" +
        "Connection refused, trying again in a moment\n".repeat(15) +
        "```\nSo the database is down.",
    ),
  ),
  honest(
    "an empty form",
    say(
      "| Name | Date | Signature |\n|---|---|---|\n" +
        "|                |                |                |\n".repeat(20),
    ),
  ),
  honest("nulls", say(`[${"null, ".repeat(300)}null]`)),
  honest(
    "a refrain",
    say(
      times(4, (round) =>
        say(`Verse ${round}: the build is green and the day is long.\nAnd we ship it, ship it, ship it again.\n`),
      )
        .map((event) => (event.type === "answer" ? event.text : ""))
        .join(""),
    ),
  ),
  honest(
    "hex dump of zeros",
    say(
      Array.from(
        { length: 40 },
        (_, at) =>
          `${(at * 16).toString(16).padStart(8, "0")}  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|`,
      ).join("\n"),
    ),
  ),
]
