import type { Call, Rule } from "../call.ts"
import { type Argument, literal, unknown } from "../words/argument.ts"
import { mayBeOption } from "../words/doubt.ts"
import { excerpt } from "../words/quote.ts"
import { withHoles } from "./xargs.ts"

const WITH_VALUE = new Set(
  (
    "-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename " +
    "-links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex -regextype -samefile -size -type " +
    "-uid -used -user -wholename -xtype -D -files0-from -depth"
  ).split(" "),
)
const ACTIONS = new Set(["-exec", "-execdir", "-ok", "-okdir"])
const WRITES = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"])

/** `find`: what it runs, deletes and writes. */
export const find: Rule = (call) => {
  const { args } = call
  let isExpression = false
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]
    if (!argument) continue
    const { value, prefix } = argument
    if (value === undefined) {
      if (!isExpression) call.reads(argument)
      const isPath = !isExpression && !mayBeOption(argument, call.notes)
      const isTest = isExpression && /^-newer[aBcmt]{2}$/.test(args[index - 1]?.value ?? "")
      if (!isPath && !isTest) call.unclear(`The word ${excerpt(argument.text)} of find may be an action.`)
      continue
    }
    if (/^[-(!)]/.test(prefix)) isExpression ||= !/^-(?:[HLP]|O\d?)$/.test(prefix)
    else if (!isExpression) call.reads(argument)
    if (value === "-delete") {
      call.run([literal("rm"), unknown("…")], { isSame: true })
      changeRoots(call)
    } else if (WRITES.has(value)) {
      const file = args[++index]
      if (file?.value === undefined) call.unclear(`The file that find ${value} writes is not literal.`)
      else call.writes(file)
      if (value === "-fprintf") index++
    } else if (ACTIONS.has(value)) {
      const from = call.notes.redirects.length
      index = runAction(call, index + 1)
      if (call.notes.redirects.slice(from).some(({ mode }) => mode === "write")) changeRoots(call)
    } else if (WITH_VALUE.has(value) && value !== "-depth") {
      index++
      if (args[index]?.isSplit && args[index]?.value === undefined && !isPattern(args[index]))
        call.unclear(`The word ${excerpt(args[index]?.text ?? "")} of find may be an action.`)
    }
  }
}

/** What is done to files that are found is done below the directories that are searched. */
function changeRoots(call: Call): void {
  const start = call.args.findIndex(({ prefix }) => !/^-(?:[HLPD]|O\d?)$/.test(prefix))
  const end = call.args.findIndex(({ prefix }, index) => index >= start && /^[-(!]/.test(prefix))
  const roots = call.args.slice(Math.max(start, 0), end < 0 ? undefined : end)
  if (roots.length === 0) call.changes()
  for (const root of roots) call.writes(root)
}

/** A pattern that was left without quotes is a word or several, but no expansion of a variable. */
function isPattern(argument: Argument | undefined): boolean {
  return argument?.expansions.length === 0 && !argument.isOutput && argument.prefix !== ""
}

function runAction(call: Call, from: number): number {
  const end = call.args.findIndex(
    ({ value }, index) => index >= from && (value === ";" || (value === "+" && call.args[index - 1]?.value === "{}")),
  )
  const words = call.args.slice(from, end < 0 ? undefined : end)
  if (end < 0) call.unclear(`The end of the command that ${call.name} runs was not found.`)
  if (words.length > 0) call.run(words.map((word) => withHoles(word, "{}")))
  return end < 0 ? call.args.length : end
}

/** `fd`: the command behind `-x` or `-X`. */
export const fd: Rule = (call) => {
  const at = call.args.findIndex(({ prefix }) => /^(?:-[a-zA-Z0-9]*[xX]|--exec(?:-batch)?(?:=|$))/.test(prefix))
  const doubtful = call.args
    .slice(0, at < 0 ? undefined : at)
    .find((word) => word.value === undefined && mayBeOption(word, call.notes))
  if (doubtful) return call.unclear(`The word ${excerpt(doubtful.text)} of ${call.name} may be an option.`)
  if (at < 0) return
  const option = call.args[at]?.value
  if (option !== undefined && !/^(?:-[xX]|--exec(?:-batch)?)$/.test(option))
    return call.unclear(`The command in ${excerpt(option)} of ${call.name} is not read.`)
  const end = call.args.findIndex(({ value }, index) => index > at && value === ";")
  const words = call.args.slice(at + 1, end < 0 ? undefined : end)
  const hasMark = words.some(({ skeleton }) => /\{[/.]*\}/.test(skeleton))
  if (words.length === 0) return call.unclear(`${call.name} runs nothing that is written.`)
  const open = words.map((word) => ["{}", "{/}", "{//}", "{.}", "{/.}"].reduce(withHoles, word))
  call.run(hasMark ? open : [...open, unknown("…")])
}
