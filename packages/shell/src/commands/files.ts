import type { Call, Rule } from "../call.ts"
import { filePath } from "../redirects.ts"
import { type Argument, literal } from "../words/argument.ts"
import { excerpt } from "../words/quote.ts"

function operands(args: readonly Argument[]): Argument[] {
  const end = args.findIndex(({ value }) => value === "--")
  return args.filter((word, index) => (end >= 0 && index > end) || !word.prefix.startsWith("-"))
}

/** Each operand is a file that is written. */
const all: Rule = (call) => {
  for (const file of operands(call.args)) call.writes(file)
}

const tee: Rule = (call) => {
  for (const file of operands(call.args)) {
    if (filePath(file) === undefined && !file.text.startsWith(">("))
      call.unclear(`The file ${excerpt(file.text)} that tee writes is not literal.`)
    else call.writes(file)
  }
}

/** The last operand is the file or the directory that is written. */
const copy: Rule = (call) => {
  const at = call.args.findIndex(({ prefix }) => /^(?:-[a-zA-Z]*t$|--target-directory)/.test(prefix))
  const option = call.args[at]
  const attached = /^--target-directory=(.+)/.exec(option?.value ?? "")?.[1]
  const files = operands(call.args)
  const target = attached === undefined ? (at >= 0 ? call.args[at + 1] : files.at(-1)) : literal(attached)
  if (!target || (files.length < 2 && at < 0)) return
  call.writes(target)
  // Where the target is a directory, the files in it.
  for (const file of files) {
    const name = file.value?.replace(/\/+$/, "").split("/").at(-1)
    if (file !== target && name && target.value !== undefined && name !== "." && name !== "..")
      call.writes(inside(target, name))
  }
}

/** What is moved is gone from where it was. */
const move: Rule = (call) => {
  copy(call)
  all(call)
}

/** The first operand says how. */
const allButFirst: Rule = (call) => {
  for (const file of operands(call.args).slice(1)) call.writes(file)
}

function inside(target: Argument, name: string): Argument {
  const value = `${target.value?.replace(/\/+$/, "") ?? ""}/${name}`
  return { ...literal(value), text: target.text.startsWith("~") ? value : literal(value).text }
}

/** The value of an option. */
function option(pattern: RegExp): Rule {
  return (call: Call) => {
    for (const [index, word] of call.args.entries()) {
      const found = pattern.exec(word.value ?? "")
      if (!found) continue
      const file = found[1] ? literal(found[1]) : call.args[index + 1]
      if (file) call.writes(file)
    }
  }
}

/** Commands that write the files in their words. Where those are not literal, nothing is noted. */
export const WRITERS: Readonly<Record<string, Rule>> = {
  tee,
  touch: all,
  truncate: all,
  mkfifo: all,
  mkdir: all,
  rm: all,
  rmdir: all,
  unlink: all,
  shred: all,
  cp: copy,
  mv: move,
  ln: copy,
  install: copy,
  rsync: copy,
  dd: option(/^of=(.+)$/),
  sort: option(/^(?:-o|--output=?)(.*)$/),
  curl: option(/^(?:-[a-zA-Z]*o|--output=?)(.*)$/),
  wget: option(/^(?:-[a-zA-Z]*O|--output-document=?)(.*)$/),
  chmod: allButFirst,
  chown: allButFirst,
  chgrp: allButFirst,
  patch: all,
}
