const LONGEST_COMMAND = 200
/** Of a command that is cut, so much of its end stays. */
const END = 60

/** A command on one line, at most 200 characters: of a longer one the start and the end. */
export function shortCommand(command: string): string {
  const characters = Array.from(oneLine(command.slice(0, 64 * 1024)))
  if (characters.length <= LONGEST_COMMAND) return characters.join("")
  const start = characters.slice(0, LONGEST_COMMAND - END - 3).join("")
  return `${start} … ${characters.slice(-END).join("")}`
}

const PIPE = /\s*(?:2>&1)?\s*\|&?\s*(?:tail|head|grep|rg|less|cat|tee)\b[^|]*$/

/** What a command on one line runs, without what only shows less of its output: the same for `npm test` and `npm test 2>&1 | tail`. */
export function shownRun(command: string): string {
  let run = command
  for (let before = ""; before !== run;) {
    before = run
    run = run.replace(PIPE, "")
  }
  return run.replace(/\s*2>&1\s*$/, "").trim() || command
}

/** Without line breaks and other control characters, which could forge lines. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
}
