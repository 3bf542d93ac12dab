import type { Rule } from "../call.ts"
import { noteContents } from "../names.ts"
import { excerpt } from "../words/quote.ts"
import { readOptions } from "./options.ts"

export const SHELLS =
  "sh bash rbash dash ash ksh ksh93 mksh pdksh posh yash zsh fish csh tcsh elvish nu pwsh powershell xonsh osh".split(
    " ",
  )

const BASH = new Set(["bash", "rbash"])
const POSIX = new Set(["sh", "dash", "ash", "posh", "yash"])
const STANDARD_INPUT = /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/(?:self|\d+)\/fd\/\d+)$/

/** A shell: reads the script of `-c`. A script from the input or a substitution is unknown. */
export const shell: Rule = (call) => {
  const { options, rest, problem } = readOptions(call.name, call.args, {
    flags: "abcdefghiklmnpqrstuvwxyzBCDEHPT",
    valued: "oO",
    long: "login norc noprofile posix restricted verbose version help noediting debugger dump-strings dump-po-strings",
    longValued: "rcfile init-file",
    also: /^\+[a-zA-Z]+$/,
  })
  if (problem !== undefined) return call.unclear(problem)
  const names = new Set(options.map(({ name }) => name))
  const risky = ["i", "rcfile", "init-file", "k", "debugger", "posix"].find((name) => names.has(name))
  if (risky !== undefined) call.unclear(`${call.name} with the option ${excerpt(risky)} reads more than its script.`)
  if (
    options.some(
      ({ name, value }) =>
        /^\+.*o|^o$/i.test(name) &&
        !/^(?:pipefail|errexit|nounset|xtrace|noglob|nullglob|globstar|dotglob|failglob|verbose|noexec)$/.test(
          value?.value ?? "",
        ),
    )
  )
    call.unclear(`${call.name} is given a setting that changes how it reads.`)
  for (const { value } of options)
    if (/^(?:globstar|dotglob)$/.test(value?.value ?? "")) call.notes.globbing.add(value?.value ?? "")
  const [first] = rest
  if (names.has("version") || names.has("help")) return
  if (names.has("c")) {
    if (first?.value === undefined)
      return call.unclear(`The script of ${call.name} is not literal: ${excerpt(first?.text ?? "")}.`)
    if (!BASH.has(call.name) && !POSIX.has(call.name) && !/^[\w\s./:@%,"-]*$/.test(first.value))
      call.unclear(`${call.name} reads its script in its own way.`)
    if (/(?:^|[\n;&|(])\s*(?:-|noglob|nocorrect|repeat|and|or|not|begin)\s/.test(first.value) && !BASH.has(call.name))
      call.unclear(`${call.name} reads its script in its own way.`)
    noteContents("@", rest.slice(2), call.notes)
    call.parse(first.value, { dialect: BASH.has(call.name) ? "bash" : "sh" })
    return
  }
  if (first && !names.has("s")) {
    if (first.value === undefined || first.isSplit)
      return call.unclear(`The script of ${call.name} is not literal: ${excerpt(first.text)}.`)
    if (!STANDARD_INPUT.test(first.value)) return
  }
  noteContents("@", rest, call.notes)
  if (call.input === undefined) return call.unclear(`${call.name} reads its script from the input.`)
  call.parse(call.input, { dialect: BASH.has(call.name) ? "bash" : "sh" })
}

/** `busybox` and similar programs: the first word is the program. */
export const multicall: Rule = (call) => {
  const [first] = call.args
  if (first && first.value?.startsWith("-") !== true) call.run(call.args)
}
