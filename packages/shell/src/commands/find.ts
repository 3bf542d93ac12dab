import type { Call, Rule } from "../call.ts"
import { type Argument, literal, unknown } from "../words/argument.ts"
import { mayBeOption } from "../words/doubt.ts"
import type { Hole } from "../words/hole.ts"
import { fdNames, foundNames } from "../words/output-names.ts"
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

/** `find`: records what it runs, deletes and writes. */
export const find: Rule = (call) => {
  const { args } = call
  if (isFollowing(args))
    for (const root of [literal("."), ...rootsOf(args)].slice(rootsOf(args).length > 0 ? 1 : 0)) call.follows(root)
  const found: Hole = { type: "names", names: foundNames(args, call.notes) }
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
      call.writes(unknown("…", "", found))
    } else if (WRITES.has(value)) {
      const file = args[++index]
      if (file?.value === undefined) call.unclear(`The file that find ${value} writes is not literal.`)
      else call.writes(file)
      if (value === "-fprintf") index++
    } else if (ACTIONS.has(value)) {
      index = runAction(call, index + 1, found)
    } else if (WITH_VALUE.has(value) && value !== "-depth") {
      index++
      if (args[index]?.isSplit && args[index]?.value === undefined && !isPattern(args[index]))
        call.unclear(`The word ${excerpt(args[index]?.text ?? "")} of find may be an action.`)
    }
  }
}

/** Returns true if it follows links. */
function isFollowing(args: readonly Argument[]): boolean {
  return args.some(({ value }) => value === "-L" || value === "-follow")
}

function rootsOf(args: readonly Argument[]): readonly Argument[] {
  const start = args.findIndex(({ prefix }) => !/^-(?:[HLPD]|O\d?)$/.test(prefix))
  const end = args.findIndex(({ prefix }, index) => index >= start && /^[-(!]/.test(prefix))
  return start < 0 ? [] : args.slice(start, end < 0 ? undefined : end)
}

/** An unquoted pattern becomes one or more words, but contains no variable. */
function isPattern(argument: Argument | undefined): boolean {
  return argument?.expansions.length === 0 && !argument.isOutput && argument.prefix !== ""
}

function runAction(call: Call, from: number, found: Hole): number {
  const { args } = call
  const isEnd = (index: number) =>
    args[index]?.value === ";" || (args[index]?.value === "+" && args[index - 1]?.value === "{}")
  let end = from
  while (end < args.length && !isEnd(end)) end++
  if (end === args.length) call.unclear(`The end of the command that ${call.name} runs was not found.`)
  const words = args.slice(from, end)
  if (words.length > 0) call.run(words.map((word) => withHoles(word, "{}", found)))
  return end
}

/** `fd`: reads the command after `-x` or `-X`. */
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
  const names = fdNames(call.args.slice(0, at), call.notes)
  const hole = { type: "names", names } as const
  const cut = { type: "names", names: { ...names, isMade: true, sources: names.names } } as const
  const open = words.map((word) =>
    ["{}", "{/}", "{//}", "{.}", "{/.}"].reduce(
      (each, mark) => withHoles(each, mark, mark.endsWith(".}") ? cut : hole),
      word,
    ),
  )
  call.run(hasMark ? open : [...open, unknown("…", "", hole)])
}
