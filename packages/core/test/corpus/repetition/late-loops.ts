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

const clippy = (round: number) =>
  bash(
    "cargo clippy -- -D warnings",
    `    Checking app v0.3.0\nerror: this loop never actually loops\n  --> src/poll.rs:31:5\n    Finished in ${round}.${round}1s`,
    101,
  )

export const lateLoops = [
  loop(
    "lints, reads and lints after some honest edits",
    times(4, (round) => [step(edit("src/poll.rs", `loop ${round}`, `loop ${round + 1}`)), step(clippy(round))]),
    times(4, (round) => [
      step(clippy(round)),
      step(read("src/poll.rs", "31: loop { break }\n", { offset: 25, limit: 12 })),
    ]),
  ),
  loop(
    "searches for a symbol under two names in turn",
    times(4, () => [
      step(grep("RateLimiter", "No matches found", "internal")),
      step(grep("Limiter", "internal/limit.go\n  Line 8: type Limiter struct", "internal")),
    ]),
  ),
  loop(
    "checks the version of a tool for ever",
    times(6, () => step(bash("node --version", "v24.1.0"))),
  ),
  loop(
    "runs a migration that was applied already",
    times(4, (round) =>
      step(
        bash(
          "npx prisma migrate dev",
          `Already in sync, no schema change or pending migration was found. Done in ${90 + round}ms`,
        ),
      ),
    ),
  ),
  loop(
    "starts the same container under a name that is taken",
    times(4, () =>
      step(
        bash(
          "docker run -d --name db postgres:17",
          'docker: Error response from daemon: Conflict. The container name "/db" is already in use.',
          125,
        ),
      ),
    ),
  ),
  loop(
    "pushes to a branch that is behind",
    times(4, () => [
      step(bash("git push", "! [rejected] main -> main (non-fast-forward)", 1)),
      step(bash("git pull --ff-only", "fatal: Not possible to fast-forward, aborting.", 128)),
    ]),
  ),
  loop(
    "reads a truncated file whole again and again",
    times(4, (round) =>
      step(
        read("dist/bundle.js", `1: !function(){\n\n... 5120 lines truncated. Full text: /data/outputs/call_${round}7.`),
      ),
    ),
  ),
  loop(
    "asks an external tool for a record that is not there",
    times(4, () => step(call("jira_get_issue", { key: "SHOP-12", fields: ["status"] }, '{"error":"not found"}'))),
  ),
  loop(
    "edits side by side with a failing check",
    times(4, () =>
      step(
        failing(edit("a.tf", "count = 1", "count = 2"), "oldString not found"),
        bash("terraform validate", "Error: Missing name", 1),
      ),
    ),
  ),
  loop(
    "looks for a test file in each of four directories, over and over",
    times(4, () =>
      ["test", "tests", "spec", "__tests__"].map((name) => step(failing(list(name, ""), `Not found: ${name}`))),
    ),
  ),
  loop(
    "reads its plan after every compaction",
    times(5, () => [step(read("PLAN.md", "- [ ] step 1\n")), compact(1)]),
  ),
  loop(
    "does one thing, is interrupted by a person, and does it again for ever",
    step(glob("*.md", "README.md")),
    prompt("Use the docs."),
    times(4, () => step(glob("docs/*.md", "docs/a.md"))),
  ),
  loop(
    "polls with a typo in the job's name",
    times(5, () => step(failing(job("biuld", ""), "There is no job biuld."))),
  ),
  loop(
    "a call among many copies in each answer",
    times(3, () => step(read("x.ts", "x"), list(".", "x.ts"), read("x.ts", "x"), list(".", "x.ts"))),
  ),
  loop(
    "writes and formats back",
    times(4, () => [
      step(write("a.json", '{"a":1}')),
      step(bash("npx prettier --write a.json", "a.json 12ms")),
      step(read("a.json", '{ "a": 1 }\n')),
    ]),
  ),
  loop("thinks aloud in a circle", say("Wait, but the lock is taken before. Hmm, let me reconsider this. ".repeat(15))),
  loop(
    "a bulleted circle",
    say(
      "Summary\n\n" +
        "* The parser reads the header\n* The writer adds the footer\n* The checker compares both\n".repeat(14),
    ),
  ),
  loop("a circle of imports", say("```ts\n" + 'import { describe, it, expect } from "vitest"\n'.repeat(70))),
  loop(
    "promises the same thing after each read",
    times(4, (round) =>
      say(
        "I have now a clear picture of how the session store works, and I am going to write the fix for the race in the next step.",
        read(`s${round}.ts`, "1: //\n"),
      ),
    ),
  ),
  loop(
    "waits for a human who is not there",
    times(4, () => [say("Please tell me which of the two I should take."), compact()]),
  ),
]
