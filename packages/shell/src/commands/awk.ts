import type { Rule } from "../call.ts"
import { HOLE } from "../words/argument.ts"
import { firstProblem, isDubious } from "../words/doubt.ts"
import { excerpt } from "../words/quote.ts"

/** Returns why an `awk` program is more than a filter. */
export function awkProblem(program: string): string | undefined {
  const joined = program.replaceAll("\\\n", "").replaceAll(HOLE, "_")
  if (/system|getline|@/.test(joined)) return "may run a command"
  if (/\bARG[VC]\b/.test(joined)) return "may read other files than its words name"
  const bare = bareProgram(joined)
  if (bare === undefined) return "is not understood"
  if (bare.replaceAll("||", "").includes("|")) return "may run a command"
  if (/\bprintf?\b[^;}\n]*>/.test(bare)) return "may write a file"
  return undefined
}

const STRING = /"(?:\\.|[^"\\])*"/sy
const COMMENT = /#[^\n]*/y
const REGEXP = /\/(?:\\.|\[\^?\]?[^\]\n]*\]|[^/\\\n[])*\//y
const OPERAND_BEFORE = /(?:[\w)\]$"]|\+\+|--)\s*$/
const KEYWORD_BEFORE = /\b(?:print|printf|return|else|do|exit|in|case)\s*$/

function isOperand(before: string): boolean {
  return OPERAND_BEFORE.test(before) && !KEYWORD_BEFORE.test(before)
}

/** Removes strings, comments and patterns. Returns undefined if patterns cannot be distinguished from divisions. */
function bareProgram(program: string): string | undefined {
  const bare: string[] = []
  // Text before the position, which distinguishes a pattern from a division.
  let before = ""
  const keep = (text: string) => {
    bare.push(text)
    before = (before + text).slice(-20)
  }
  for (let at = 0; at < program.length;) {
    const take = (pattern: RegExp): boolean => {
      pattern.lastIndex = at
      const found = pattern.exec(program)
      if (found) at += found[0].length
      return found !== null
    }
    const character = program[at] ?? ""
    if (character === '"') {
      if (!take(STRING)) return undefined
      keep('""')
    } else if (character === "#") take(COMMENT)
    else if (character !== "/") {
      keep(character)
      at++
    } else if (isOperand(before)) {
      // A division. If it could also be a pattern, its text must not contain anything relevant.
      REGEXP.lastIndex = at
      if (/["|#>]/.test(REGEXP.exec(program)?.[0] ?? "")) return undefined
      keep(character)
      at++
    } else if (!take(REGEXP)) return undefined
  }
  return bare.join("")
}

/** `awk` and its variants. */
export const awk: Rule = (call) => {
  for (let index = 0; index < call.args.length; index++) {
    const word = call.args[index]
    if (!word) continue
    if (/^-[Fv]$|^--(?:assign|field-separator)$/.test(word.value ?? "")) index++
    else if (/^(?:-f|--file)/.test(word.prefix)) {
      const file = /^(?:-f|--file)$/.test(word.value ?? "") ? call.args[index + 1] : word
      call.unclear(`The program of ${call.name} is in a file: ${excerpt(file?.text ?? "")}.`)
      return
    } else if (
      /^-(?:F.|v.|[cbCdhnNoOPrsStVM]$)|^--(?:assign|field-separator|posix|csv|re-interval|version|sandbox|bignum|traditional)/.test(
        word.prefix,
      ) ||
      word.value === "--"
    )
      continue
    else if (word.prefix.startsWith("-"))
      return call.unclear(`The option ${excerpt(word.text)} of ${call.name} is not understood.`)
    else {
      if (isDubious(word, call.notes) || (word.value === undefined && word.isSplit && !word.text.startsWith('"')))
        call.unclear(`The program ${excerpt(word.text)} of ${call.name} is not literal.`)
      const problem = firstProblem(word, call.notes, awkProblem)
      if (problem !== undefined) call.unclear(`The program ${excerpt(word.text)} of ${call.name} ${problem}.`)
      for (const file of call.args.slice(index + 1)) if (!file.prefix.includes("=")) call.reads(file)
      return
    }
  }
}
