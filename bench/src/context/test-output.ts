import type { Prose } from "./prose.ts"
import type { Random } from "./random.ts"

/** A command that runs tests, with its output. */
export interface TestRun {
  readonly command: string
  /** Output if the test with this title fails. */
  failing(title: string, details: string): string
  /** Output after the test was fixed. */
  passing(): string
}

/** Chooses a common test runner and generates its output without a terminal. */
export function createTestRun(random: Random, prose: Prose): TestRun {
  const [file, count, time] = [`${prose.noun()}-${prose.noun()}`, random.whole(4, 40), random.whole(12, 900)]
  const titles = Array.from({ length: count }, () => `${prose.verb()} the ${prose.adjective()} ${prose.noun()}`)
  const words = titles.map((title) => title.replaceAll(" ", "_"))
  const wrong = `expected ${random.whole(1, 99)} to be ${random.whole(100, 199)}`
  const lines = (each: (title: string) => string, all = titles) => all.map((title) => each(title)).join("\n")
  return random.pick<TestRun>([
    {
      command: `pnpm vitest run lib/${file}.test.ts`,
      failing: (title, details) =>
        [
          ` ❯ lib/${file}.test.ts (${count + 1} tests | 1 failed) ${time}ms`,
          `${lines((each) => `   ✓ ${each} 1ms`)}\n   × ${title} 5ms\n     → ${wrong}`,
          `\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  lib/${file}.test.ts > ${title}\nAssertionError: ${wrong}\n${details}`,
          `\n Test Files  1 failed (1)\n      Tests  1 failed | ${count} passed (${count + 1})\n   Duration  ${time}ms`,
        ].join("\n"),
      passing: () => ` ✓ lib/${file}.test.ts (${count + 1} tests) ${time}ms\n\n Test Files  1 passed (1)`,
    },
    {
      command: `npx jest lib/${file}.test.js`,
      failing: (title, details) =>
        [
          `FAIL lib/${file}.test.js\n${lines((each) => `  ✓ ${each} (1 ms)`)}\n  ✕ ${title} (5 ms)`,
          `\n  ● ${title}\n\n    ${wrong}\n${details}`,
          `\nTest Suites: 1 failed, 1 total\nTests:       1 failed, ${count} passed, ${count + 1} total`,
        ].join("\n"),
      passing: () => `PASS lib/${file}.test.js\n\nTests:       ${count + 1} passed, ${count + 1} total`,
    },
    {
      command: `python -m pytest tests/test_${file}.py`,
      failing: (title, details) =>
        [
          `tests/test_${file}.py ${".".repeat(count)}F`,
          `\n=================== FAILURES ===================\n${details}\nE   AssertionError: ${wrong}`,
          `=========== short test summary info ============\nFAILED tests/test_${file}.py::${title} - AssertionError: ${wrong}`,
          `========= 1 failed, ${count} passed in 2.31s =========`,
        ].join("\n"),
      passing: () => `tests/test_${file}.py ${".".repeat(count)}\n\n======== ${count + 1} passed in 2.28s ========`,
    },
    {
      command: `go test ./${file}/...`,
      failing: (title, details) =>
        `--- FAIL: ${title} (0.01s)\n    ${file}_test.go:${time}: ${wrong}\n${details}\nFAIL\nFAIL\texample.com/${file}\t0.2s\nFAIL`,
      passing: () => `ok  \texample.com/${file}\t0.19s`,
    },
    {
      command: `cargo test ${file}`,
      failing: (title, details) =>
        [
          `running ${count + 1} tests\n${lines((each) => `test tests::${each} ... ok`, words)}\ntest tests::${title} ... FAILED`,
          `\nfailures:\n\n---- tests::${title} stdout ----\n${details}\n\nfailures:\n    tests::${title}`,
          `\ntest result: FAILED. ${count} passed; 1 failed; 0 ignored; finished in 0.02s`,
        ].join("\n"),
      passing: () => `running ${count + 1} tests\n\ntest result: ok. ${count + 1} passed; 0 failed; finished in 0.02s`,
    },
    {
      command: `node --test lib/${file}.test.js`,
      failing: (title, details) =>
        [
          `${lines((each) => `✔ ${each} (0.4ms)`)}\n✖ ${title} (3.1ms)\nℹ tests ${count + 1}\nℹ pass ${count}\nℹ fail 1`,
          `\n✖ failing tests:\n\ntest at lib/${file}.test.js:9:1\n✖ ${title} (3.1ms)\n  AssertionError: ${wrong}\n${details}`,
        ].join("\n"),
      passing: () => `ℹ tests ${count + 1}\nℹ pass ${count + 1}\nℹ fail 0`,
    },
    {
      command: `npx mocha lib/${file}.spec.js`,
      failing: (title, details) =>
        [
          `  ${file}\n${lines((each) => `    ✔ ${each}`)}\n    1) ${title}\n\n\n  ${count} passing (32ms)\n  1 failing`,
          `\n  1) ${file}\n       ${title}:\n\n      AssertionError: ${wrong}\n${details}`,
        ].join("\n"),
      passing: () => `  ${file}\n\n  ${count + 1} passing (30ms)`,
    },
  ])
}
