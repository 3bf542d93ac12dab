/** Reads the output of one kind of test runner line by line, without escape sequences. */
export interface TestRunner {
  readonly name: string
  /** Matches a line that says that the run failed. */
  readonly failed: RegExp
  /** True if its names cannot be mistaken: they count even if the run did not end. */
  readonly isUnmistakable?: boolean
  /** Returns a reader for one output: each line gives the name of a failed test, or undefined. */
  reader(): (line: string) => string | undefined
}

/** Reads names from single lines, by the first group of a pattern. */
const oneLine = (pattern: RegExp) => () => (line: string) => pattern.exec(line)?.[1]

const tap: TestRunner = {
  name: "TAP",
  failed: /^# fail(?:ed)?:? +[1-9]/,
  isUnmistakable: true,
  reader: () => (line) => {
    const name = /^\s*not ok \d+(?: -)? (.+)$/.exec(line)?.[1]
    return name === undefined || / # (?:TODO|SKIP)/i.test(name) ? undefined : name
  },
}

const nodeSpec: TestRunner = {
  name: "node:test",
  failed: /^\u2139 fail [1-9]/,
  reader: () => (line) => {
    const name = /^\s*\u2716 (.+?)(?: \([\d.]+ms\))?$/.exec(line)?.[1]
    return name === "failing tests:" ? undefined : name
  },
}

const vitest: TestRunner = {
  name: "vitest",
  failed: /^\s*(?:Test Files|Tests) +[1-9]\d* failed/,
  // `FAIL  a.test.ts > suite > name`, or `FAIL  a.test.ts [ a.test.ts ]` for a file that could not be run.
  reader: oneLine(/^\s*FAIL +(.+?)(?: \[ .+ \])?$/),
}

const jest: TestRunner = {
  name: "jest",
  failed: /^(?:Test Suites|Tests): +[1-9]\d* failed/,
  reader() {
    let file = ""
    return (line) => {
      file = /^FAIL (?:\S+ )?(\S+\.[cm]?[jt]sx?)/.exec(line)?.[1] ?? file
      const name = /^ {2}\u25cf (.+)$/.exec(line)?.[1]
      if (name === undefined || name === "Console") return undefined
      return name === "Test suite failed to run" ? file : [file, name].filter((text) => text !== "").join(" › ")
    }
  },
}

const mocha: TestRunner = {
  name: "mocha",
  failed: /^ +[1-9]\d* failing$/,
  // `  1) suite`, then nested `name:`, in the list after the counts.
  reader() {
    let isList = false
    let titles: string[] | undefined
    return (line) => {
      isList ||= mocha.failed.test(line)
      const first = isList ? /^ {2}\d+\) (.+)$/.exec(line)?.[1] : undefined
      if (first !== undefined) titles = [first.trim()]
      else if (line.trim() === "") titles = undefined
      else titles?.push(line.trim())
      const last = titles?.at(-1)
      if (!titles || !last?.endsWith(":")) return undefined
      const name = titles.join(" > ").slice(0, -1)
      titles = undefined
      return name
    }
  },
}

const pytest: TestRunner = {
  name: "pytest",
  failed: /^(?:=+ )?(?:\d+ [a-z]+, )*[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s/,
  isUnmistakable: true,
  reader: () => (line) => {
    const inSummary = /^(?:FAILED|ERROR) (\S+\.py\b.*)$/.exec(line)?.[1]?.split(" - ")[0]
    return inSummary ?? /^(\S+\.py::.+?) (?:FAILED|ERROR)(?: +\[ *\d+%\])?$/.exec(line)?.[1]
  },
}

const unittest: TestRunner = {
  name: "unittest",
  failed: /^FAILED \((?:failures|errors)=/,
  reader: oneLine(/^(?:FAIL|ERROR): (\S+ \(.+\).*)$/),
}

const goTest: TestRunner = {
  name: "go test",
  failed: /^FAIL(?:\t|$)/,
  isUnmistakable: true,
  reader: () => (line) => {
    return /^\s*--- FAIL: (\S+)/.exec(line)?.[1] ?? /^FAIL\t(\S+ \[(?:build|setup) failed\])$/.exec(line)?.[1]
  },
}

const cargoTest: TestRunner = {
  name: "cargo test",
  failed: /^test result: FAILED\.|^\s*Summary \[.+ [1-9]\d* failed/,
  isUnmistakable: true,
  reader: () => (line) => {
    return (
      /^test (.+) \.\.\. FAILED$/.exec(line)?.[1] ??
      /^\s*FAIL \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(.+)$/.exec(line)?.[1]?.trim()
    )
  },
}

const rspec: TestRunner = {
  name: "rspec",
  failed: /^\d+ examples?, (?:[1-9]\d* failures?|\d+ failures?, [1-9])/,
  reader: oneLine(/^rspec (\S+ # .+)$/),
}

const phpunit: TestRunner = {
  name: "phpunit",
  failed: /^(?:FAILURES|ERRORS)!$/,
  reader() {
    // Risky, skipped and warned tests are listed in the same form.
    let isList = false
    return (line) => {
      const kind = /^There (?:was|were) \d+ (.+):$/.exec(line)?.[1]
      if (kind !== undefined) isList = /^(?:failure|error)s?$/.test(kind)
      return isList ? /^\d+\) (\S+::.+)$/.exec(line)?.[1] : undefined
    }
  },
}

const dotnetTest: TestRunner = {
  name: "dotnet test",
  failed: /^(?:Failed! +- |Test Run Failed)/,
  isUnmistakable: true,
  reader: oneLine(/^\s*Failed (\S.*) \[[^\]]+s\]$/),
}

const bunTest: TestRunner = {
  name: "bun test",
  failed: /^ +[1-9]\d* fail$/,
  reader: oneLine(/^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$/),
}

export const testRunners: readonly TestRunner[] = [
  ...[tap, nodeSpec, vitest, jest, mocha, pytest, unittest, goTest, cargoTest, rspec, phpunit, dotnetTest, bunTest],
]
