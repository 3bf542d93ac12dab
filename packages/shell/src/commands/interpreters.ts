import type { Rule } from "../call.ts"

const CODE = /^-(?:[a-zA-Z]*[cemprEM]|V|h|v|-version|-help|-eval|-print|-test|-check|-run)/

/** Languages whose programs are scripts. */
export const INTERPRETERS =
  "python python2 python3 node nodejs deno bun tsx ts-node perl ruby php lua luajit Rscript julia groovy scala swift tclsh wish guile racket".split(
    " ",
  )

/** Database clients, whose input may contain commands that run programs. */
export const CLIENTS = "sqlite3 psql mysql mariadb".split(" ")

/** An interpreter whose words contain a script is decided by them. Otherwise the script comes from its input. */
export const interpreter: Rule = (call) => {
  const isGiven = call.args.some(({ value, prefix }) => CODE.test(prefix) || (value !== "-" && !prefix.startsWith("-")))
  const script = call.args.find(({ prefix }) => !prefix.startsWith("-"))
  if (script && !call.args.some(({ prefix }) => CODE.test(prefix))) call.reads(script)
  const device = call.args.find(({ value }) => /^\/(?:dev|proc)\//.test(value ?? ""))
  if ((!isGiven && call.input === undefined) || device) call.unclear(`${call.name} reads its program from the input.`)
}

const GIVEN = /^(?:-[a-zA-Z]*[ceflV]|--(?:command|file|execute|list|version|help))/

/** A database client that reads its script from the input. */
export const client: Rule = (call) => {
  const operands = call.args.filter(({ prefix }) => !prefix.startsWith("-"))
  if (call.name === "sqlite3" && operands[0]) call.reads(operands[0])
  const isGiven = call.name === "sqlite3" ? operands.length > 1 : call.args.some(({ prefix }) => GIVEN.test(prefix))
  if (isGiven || /^--?(?:version|help)$/.test(call.args[0]?.value ?? "")) return
  if (call.input === undefined) call.unclear(`${call.name} reads its script from the input.`)
  else if (
    /^\s*\.(?!(?:tables|schema|mode|headers|quit|exit|databases|indexes|width|timeout)\b)|\\[!ogisw]|\\copy|\bprogram\b|\bsystem\b|load_extension/im.test(
      call.input,
    )
  )
    call.unclear(`The script of ${call.name} may run a command.`)
}
