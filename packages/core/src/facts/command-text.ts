const MAX_COMMAND_LENGTH = 200
/** Characters of the end of a cut command that stay. */
const END_LENGTH = 60

/** Returns a command on one line, at most 200 characters: the start and the end of a longer one. */
export function shortCommand(command: string): string {
  const characters = Array.from(oneLine(command.slice(0, 64 * 1024)))
  if (characters.length <= MAX_COMMAND_LENGTH) return characters.join("")
  const start = characters.slice(0, MAX_COMMAND_LENGTH - END_LENGTH - 3).join("")
  return `${start} … ${characters.slice(-END_LENGTH).join("")}`
}

const PIPE = /\s*(?:2>&1)?\s*\|&?\s*(?:tail|head|grep|rg|less|cat|tee)\b[^|]*$/

/**
 * Returns the part of a command that runs, without pipes that only shorten its output: the same for `npm test` and `npm
 * test 2>&1 | tail`.
 */
export function shownRun(command: string): string {
  let run = command
  for (let before = ""; before !== run;) {
    before = run
    run = run.replace(PIPE, "")
  }
  return run.replace(/\s*2>&1\s*$/, "").trim() || command
}

/** Replaces line breaks and other control characters, which could forge lines. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
}
