import type { Call, Rule } from "../call.ts"
import { type Directories, enter } from "../directories.ts"
import { entered } from "../entered.ts"
import { noteContents, noteValue, noteWords } from "../names.ts"
import { isInfluential } from "../variables.ts"
import { type Argument, behind, literal, unknown } from "../words/argument.ts"
import { excerpt } from "../words/quote.ts"

/** Records the value of a variable that a word of a builtin sets. */
function noteName(call: Call, argument: Argument, value?: string, word?: Argument): void {
  const name = /^[A-Za-z_]\w*/.exec(argument.prefix)?.[0]
  if (/\[.*[$`]/s.test(argument.skeleton))
    call.unclear(`The subscript in ${excerpt(argument.text)} would be evaluated.`)
  if (argument.value === undefined && !argument.prefix.includes("="))
    return call.unclear(`The name of the variable ${excerpt(argument.text)} is not literal.`)
  if (value?.startsWith("(") && /[$`]/.test(value))
    call.unclear(`The list in ${excerpt(argument.text)} would be evaluated.`)
  if (name === undefined) return
  if (!word && value === undefined) call.notes.sure.delete(name)
  else if (call.state.isUnsure !== true) call.notes.sure.add(name)
  noteValue(name, value, call.notes)
  if (word?.expansions.some(({ list }) => list !== undefined)) noteContents(name, undefined, call.notes)
  noteContents(name, word ? [word] : value === undefined ? undefined : [literal(value)], call.notes)
}

/** Records what is read into variables, if it is known. */
function noteRead(call: Call, argument: Argument): void {
  const { feed } = call.state
  const name = /^[A-Za-z_]\w*$/.exec(argument.value ?? "")?.[0]
  const isPlain = call.args.every(({ value }) => value?.startsWith("-") !== true || /^-[rst]+$/.test(value))
  const isKnown = isPlain && feed?.isOpen === false && !feed.names.some((each) => each.includes("\\"))
  if (!feed || !isKnown || name === undefined) return noteName(call, argument)
  const wasOpen = call.notes.open.has(name)
  noteName(call, argument)
  if (!wasOpen) call.notes.open.delete(name)
  noteWords(name, [unknown(`read ${feed.names.join(" ")}`, "", { type: "names", names: feed })], call.notes)
}

const cd: Rule = (call) => {
  const { moves } = call.notes
  call.notes.moves++
  const words = call.args.filter(({ value }) => value === undefined || !/^-[LPe@]*$|^--$/.test(value) || value === "-")
  const [target, ...others] = words
  if (!target && call.name === "cd") return { directories: enter("~", call.state.directories, call.notes) }
  return { directories: others.length === 0 && target ? changedTo(call, target, moves) : undefined }
}

/** `cd -` returns to a known directory only if the command itself changed it before. */
function changedTo(call: Call, target: Argument, moves: number): Directories {
  if (target.value !== "-") return entered(target, call.state, call.notes)
  if (moves === 0) call.unclear("The directory before this one is not known.")
  return undefined
}

const stack: Rule = (call) => {
  const { moves } = call.notes
  call.notes.moves++
  const [target, ...others] = call.args.filter(({ value }) => value !== "-n")
  const isBack = !target || /^[-+]\d/.test(target.value ?? "") || call.name !== "pushd"
  if (!isBack) return { directories: others.length === 0 ? changedTo(call, target, moves) : undefined }
  if (moves === 0) call.unclear(`The directory that ${call.name} changes to is not known.`)
  return { directories: undefined }
}

const evaluate: Rule = (call) => {
  const words = call.args[0]?.value === "--" ? call.args.slice(1) : call.args
  const unknown = words.find(({ value }) => value === undefined)
  if (unknown) return call.unclear(`eval runs ${excerpt(unknown.text)}, which is not literal.`)
  return { directories: call.parse(words.map(({ value }) => value).join(" "), { dialect: call.state.dialect }) }
}

const trap: Rule = (call) => {
  const [first, ...others] = call.args
  if (!first || /^-[lpP]$/.test(first.value ?? "")) return
  const action = first.value === "--" ? others[0] : first
  if (action?.value === undefined)
    return call.unclear(`The action ${excerpt(action?.text ?? "")} of trap is not literal.`)
  call.notes.goesBack = true
  if (action.value === "-" || action.value === "" || /^\d+$/.test(action.value)) return
  call.parse(action.value, {
    dialect: call.state.dialect,
    directories: call.notes.moves > 0 ? undefined : call.state.directories,
  })
}

const source: Rule = (call) => {
  const [file] = call.args
  if (file) call.reads(file)
  if (file?.value === undefined || /^\/dev\/|^\/proc\/|^-/.test(file.value))
    call.unclear(`The script that ${call.name} reads is not literal: ${excerpt(file?.text ?? "")}.`)
}

const alias: Rule = (call) => {
  const defined = call.args.find(({ value }) => value === undefined || value.includes("="))
  if (defined) call.unclear(`The alias ${excerpt(defined.text)} changes what later commands mean.`)
}

/** `declare` and similar builtins. */
const declare: Rule = (call) => {
  const flags = call.args.flatMap(({ value }) => (value !== undefined && /^[-+]/.test(value) ? [value] : [])).join("")
  if (/n/.test(flags) && call.name !== "export") call.unclear(`${call.name} makes one name stand for another.`)
  if (/i/.test(flags)) call.notes.calculated.add(excerpt(`${call.name} -i`))
  if (/f/.test(flags)) return
  for (const argument of call.args) {
    if (/^[-+]/.test(argument.prefix)) continue
    const { value, prefix } = argument
    if (value === undefined && !/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(prefix)) {
      call.unclear(`The name of the variable ${excerpt(argument.text)} is not literal.`)
      continue
    }
    const at = prefix.indexOf("=") + 1
    const isWhole = at > 0 && prefix[at - 2] !== "+" && !flags.includes("a") && !flags.includes("A")
    if (at > 0 && !isInfluential(prefix.slice(0, at - 1)) && (call.name === "export" || flags.includes("x")))
      call.sets(behind(argument, at))
    if (at > 0) noteName(call, argument, value?.slice(at), isWhole ? behind(argument, at) : undefined)
    else if (call.name === "export" && isInfluential(prefix)) noteName(call, argument)
  }
}

const read: Rule = (call) => {
  const values = "adinNptu"
  for (let index = 0; index < call.args.length; index++) {
    const argument = call.args[index]
    if (!argument) continue
    const option = /^-[a-zA-Z]*?([a-zA-Z])$/.exec(argument.value ?? "")?.[1]
    if (argument.value?.startsWith("-")) {
      if (/^-[a-zA-Z]*a$/.test(argument.value)) continue
      if (option !== undefined && values.includes(option)) index++
      continue
    }
    noteRead(call, argument)
  }
}

const mapfile: Rule = (call) => {
  if (call.args.some(({ value, prefix }) => value === undefined || /^-[a-zA-Z]*[Cc]/.test(prefix)))
    call.unclear(`${call.name} runs a command for what it reads, or its words are not literal.`)
  const last = call.args.at(-1)
  if (last && /^[A-Za-z_]/.test(last.prefix)) noteRead(call, last)
}

const printf: Rule = (call) => {
  const [first, second] = call.args
  if (!first) return
  if (
    first.value === undefined &&
    first.prefix === "" &&
    call.args.some(({ value }) => value !== undefined && (isInfluential(value) || value.includes("[")))
  )
    call.unclear(`The first word ${excerpt(first.text)} of printf may be an option.`)
  if (first.value === "-v" && second) noteName(call, second)
  else if (first.prefix.startsWith("-v"))
    noteName(call, { ...first, prefix: first.prefix.slice(2), skeleton: first.skeleton.slice(2) })
}

const test: Rule = (call) => {
  for (const [index, { value }] of call.args.entries()) {
    const next = call.args[index + 1]
    if ((value === "-v" || value === "-R") && next && (next.value === undefined || /\[/.test(next.value)))
      call.unclear(`The subscript in ${excerpt(next.text)} would be evaluated.`)
  }
}

const set: Rule = (call) => {
  const words = call.args
  for (const [index, { value, text }] of words.entries()) {
    if (value === "--" || value === "-") return noteContents("@", words.slice(index + 1), call.notes)
    if (value !== undefined && !/^[-+]/.test(value)) return noteContents("@", words.slice(index), call.notes)
    if (value === undefined) return call.unclear(`The setting ${excerpt(text)} is not literal.`)
    if (/[kHPo].*[kHP]|^[-+][a-zA-Z]*[kHP]/.test(value))
      return call.unclear(`The setting ${excerpt(value)} changes how commands are read.`)
    const named = value.endsWith("o") ? words[index + 1] : undefined
    if (
      named &&
      !/^(?:pipefail|errexit|nounset|xtrace|noglob|verbose|noexec|noclobber|allexport|errtrace|functrace|monitor|notify)$/.test(
        named.value ?? "",
      )
    )
      return call.unclear(`The setting ${excerpt(named.text)} changes how commands are read.`)
    if (named) return set({ ...call, args: words.slice(index + 2) })
  }
}

const shopt: Rule = (call) => {
  const known = /^(?:-[suqp]+|nullglob|globstar|dotglob|failglob|nocaseglob|nocasematch|inherit_errexit|lastpipe)$/
  for (const { value } of call.args)
    if (/^(?:globstar|dotglob|nocaseglob)$/.test(value ?? "")) call.notes.globbing.add(value ?? "")
  const other = call.args.find(({ value }) => !known.test(value ?? ""))
  if (other) call.unclear(`The setting ${excerpt(other.text)} changes how commands are read.`)
}

const letRule: Rule = (call) => {
  for (const argument of call.args) {
    if (/[$`]/.test(argument.skeleton)) call.unclear(`let evaluates ${excerpt(argument.text)}.`)
    const name = /^([A-Za-z_]\w*)\s*[-+*/%&|^<>]*=/.exec(argument.prefix)?.[1]
    if (name !== undefined) noteValue(name, undefined, call.notes)
  }
  call.notes.calculated.add(excerpt(call.args.map(({ text }) => text).join(" ")))
}

const unset: Rule = (call) => {
  for (const argument of call.args)
    if (!argument.prefix.startsWith("-")) noteName(call, argument, argument.value === undefined ? undefined : "")
}

const hash: Rule = (call) => {
  if (call.args.some(({ value, prefix }) => value === undefined || /^-[a-z]*p/.test(prefix)))
    call.unclear("hash makes a name stand for another program.")
}

/** Builtins that change the meaning of later commands. */
const changing: Rule = (call) => {
  if (call.args.length > 0) call.unclear(`${call.name} changes what commands mean, or runs some.`)
}

const history: Rule = (call) => call.unclear(`${call.name} runs commands that are written elsewhere.`)

export const BUILTINS: Readonly<Record<string, Rule>> = {
  cd,
  chdir: cd,
  pushd: stack,
  popd: stack,
  eval: evaluate,
  trap,
  source,
  ".": source,
  alias,
  declare,
  typeset: declare,
  local: declare,
  export: declare,
  readonly: declare,
  read,
  mapfile,
  readarray: mapfile,
  getopts: (call) => void call.args.slice(1, 2).map((argument) => noteName(call, argument)),
  printf,
  test,
  "[": test,
  set,
  shopt,
  let: letRule,
  unset,
  hash,
  enable: changing,
  complete: changing,
  compgen: changing,
  compopt: changing,
  bind: changing,
  fc: history,
  wait: (call) => {
    const at = call.args.findIndex(({ prefix }) => prefix.startsWith("-p"))
    const name = call.args[at + 1]
    if (at >= 0 && name) noteName(call, name)
  },
  autoload: changing,
  emulate: changing,
  zmodload: changing,
}
