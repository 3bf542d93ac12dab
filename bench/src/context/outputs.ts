import type { Prose } from "./prose.ts"
import type { Random } from "./random.ts"

/** Generates tool outputs in kinds and sizes that a coding agent meets. */
export interface Outputs {
  /** Returns an approximate size in bytes: mostly some thousands, rarely tens of thousands. */
  size(): number
  /** A file with line numbers. */
  file(bytes: number): string
  matches(bytes: number): string
  log(bytes: number): string
  diff(path: string, bytes: number): string
  /** A test run without failures. */
  passing(bytes: number): string
  /** A stack trace that starts with this line. */
  trace(first: string): string
}

const MEDIAN_BYTES = 2500
const MAX_BYTES = 40_000

export function createOutputs(random: Random, prose: Prose): Outputs {
  const upTo = (bytes: number, line: (number: number) => string) => {
    const lines: string[] = []
    for (let size = 0; size < bytes; size += (lines.at(-1)?.length ?? 0) + 1) lines.push(line(lines.length + 1))
    return lines.join("\n")
  }
  const path = () => `lib/${prose.noun()}/${prose.adjective()}-${prose.noun()}.ts`
  const code = () => {
    const [a, b, c] = [prose.identifier(), prose.identifier(), prose.identifier()]
    return random.pick([
      `  const ${a} = await ${b}.${prose.verb()}(${c})`,
      `  if (${a}.${prose.noun()} === undefined) return ${b}`,
      `export function ${a}({ ${b}, ${c} }: ${capital(b)}Input): ${capital(c)} {`,
      `  // ${prose.sentence()}`,
      `  return ${a}.map((${prose.noun()}) => ${b}(${prose.noun()}, ${random.whole(1, 900)}))`,
      "  }",
      "",
    ])
  }
  const milliseconds = () => `${random.whole(1, 900)}ms`
  const passed = () => ` ✓ ${prose.noun()} > ${prose.verb()} the ${prose.adjective()} ${prose.noun()} ${milliseconds()}`

  return {
    // A log-normal distribution. The sum of three random numbers approximates the normal distribution.
    size() {
      const bell = random.next() + random.next() + random.next() - 1.5
      return Math.min(MAX_BYTES, Math.round(MEDIAN_BYTES * Math.exp(bell * 2.4)))
    },
    file: (bytes) => upTo(bytes, (number) => `${String(number).padStart(5)}| ${code()}`),
    matches: (bytes) => upTo(bytes, () => `${path()}:${random.whole(1, 800)}:${code()}`),
    log: (bytes) =>
      upTo(bytes, (number) => {
        return `2026-03-${String(random.whole(10, 28))}T10:${String(number % 60).padStart(2, "0")} ${random.pick(["info", "debug", "warn"])} ${prose.noun()}: ${prose.sentence()}`
      }),
    diff: (name, bytes) =>
      [`--- a/${name}`, `+++ b/${name}`, upTo(bytes, () => `${random.pick([" ", "+", "-"])}${code()}`)].join("\n"),
    passing: (bytes) => `${upTo(bytes, () => passed())}\n\n Tests  ${random.whole(20, 400)} passed`,
    trace: (first) =>
      [
        first,
        ...Array.from(
          { length: random.whole(4, 9) },
          () => `    at ${prose.identifier()} (${path()}:${random.whole(1, 400)}:${random.whole(1, 60)})`,
        ),
      ].join("\n"),
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
