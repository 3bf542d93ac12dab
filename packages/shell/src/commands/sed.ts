import type { Rule } from "../call.ts"
import { type Argument, HOLE } from "../words/argument.ts"
import { firstProblem, isDubious } from "../words/doubt.ts"
import { excerpt } from "../words/quote.ts"

const ADDRESS =
  /^\s*(?:[\d\ue000]+(?:~[\d\ue000]+)?|\$|\/(?:\\.|\[[^\]]*\]|[^/\\])*\/[IM]*|\\(.)(?:\\.|(?!\1).)*\1[IM]*|[+~][\d\ue000]+)/s

/** Returns why a `sed` script is more than an edit of text: it runs a command or writes a file. */
export function sedProblem(script: string): string | undefined {
  let rest = script
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest)?.[0]
    if (found !== undefined) rest = rest.slice(found.length)
    return found
  }
  for (;;) {
    take(/^[\s;{}]+/)
    if (rest === "") return undefined
    const first = take(ADDRESS)
    const second = first !== undefined && take(/^\s*,/) !== undefined ? take(ADDRESS) : undefined
    take(/^[\s!]+/)
    const command = take(/^./s)
    // An expansion in an address may contain commands.
    if ((command === undefined || command === "}") && `${first}${second}`.includes(HOLE)) return "is not understood"
    switch (command) {
      case "s":
      case "y": {
        const mark = rest[0]
        if (mark === undefined || /[\\\n]/.test(mark)) return "is not understood"
        rest = rest.slice(1)
        for (const _ of [1, 2]) {
          let at = 0
          while (at < rest.length && rest[at] !== mark) at += rest[at] === "\\" ? 2 : 1
          if (at >= rest.length) return "is not understood"
          rest = rest.slice(at + 1)
        }
        const flags = take(/^[^;}\n#]*/) ?? ""
        if (flags.includes("e")) return "runs a command"
        if (flags.includes("w")) return "writes a file"
        if (!/^[\sgpiImM\d]*$/.test(flags)) return "is not understood"
        break
      }
      case "e":
        return "runs a command"
      case "w":
      case "W":
        return "writes a file"
      case "a":
      case "i":
      case "c":
        take(/^(?:\\\n|[^\n\\]|\\.)*/s)
        break
      case "r":
      case "R":
        return "reads a file"
      case "#":
        take(/^[^\n]*/)
        break
      case ":":
      case "b":
      case "t":
      case "T":
        take(/^[^;\n}]*/)
        break
      case undefined:
      case "{":
      case "}":
        break
      default:
        if (!/[dDgGhHlnNpPqQxz=F]/.test(command)) return "is not understood"
        take(/^[ \t]*\d*/)
    }
  }
}

/** `sed`: records the files that it edits, and checks its scripts. */
export const sed: Rule = (call) => {
  const scripts: Argument[] = []
  const files: Argument[] = []
  let isScriptGiven = false
  let isInPlace = false
  for (let index = 0; index < call.args.length; index++) {
    const word = call.args[index]
    if (!word) continue
    const { prefix } = word
    if (/^(?:-[nrszEu]*e|--expression)$/.test(prefix)) {
      const script = call.args[++index]
      if (script) scripts.push(script)
      isScriptGiven = true
    } else if (/^--expression=|^-[nrszEu]*e./.test(prefix)) {
      const front = /^--expression=|^-[nrszEu]*e/.exec(prefix)?.[0].length ?? 0
      scripts.push({ ...word, skeleton: word.skeleton.slice(front) })
      isScriptGiven = true
    } else if (/^(?:-[nrszEu]*f|--file)/.test(prefix)) {
      isScriptGiven = true
      const file = /f$|file$/.test(prefix) ? call.args[++index] : word
      call.unclear(`The script of sed is in a file: ${excerpt(file?.text ?? "")}.`)
    } else if (/^(?:-[nrszEu]*i|--in-place)/.test(prefix)) isInPlace = true
    else if (
      /^-[nrszEu]+$|^--(?:quiet|silent|regexp-extended|separate|null-data|posix|debug|sandbox|unbuffered|follow-symlinks|version|help)$|^--?$|^-l\d*$|^-$/.test(
        prefix,
      ) &&
      word.value !== undefined
    )
      continue
    else if (prefix.startsWith("-")) call.unclear(`The option ${excerpt(word.text)} of sed is not known.`)
    else if (isScriptGiven) files.push(word)
    else {
      scripts.push(word)
      isScriptGiven = true
    }
  }
  for (const script of scripts) {
    if (isDubious(script, call.notes)) call.unclear(`The script ${excerpt(script.text)} of sed is not literal.`)
    const problem = firstProblem(script, call.notes, sedProblem)
    if (problem !== undefined) call.unclear(`The script ${excerpt(script.text)} of sed ${problem}.`)
  }
  for (const file of files) {
    if (isInPlace) call.writes(file)
    else call.reads(file)
  }
}
