import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { shellCommand, TemplateError } from "./shell-command.ts"

const HOSTILE = [
  "a b",
  "it's",
  'say "hi"',
  "$(echo hit)",
  "`echo hit`",
  "x; echo hit",
  "x\necho hit",
  "\\",
  "a\\",
  "'",
  '"',
  "''",
  "${HOME}",
  "$1",
  "$$",
  "!x",
  "*",
  "~",
  "&& echo hit",
  "| cat",
  "> file",
  "'$(echo hit)'",
  "\\'; echo hit #",
  '\\"; echo hit; "',
  "-rf",
  "A=b",
  "{a,b}",
  "(",
  ")",
  "# no",
  "名前",
  "",
]

describe("a word in a command", () => {
  it.each([
    "printf %s $1",
    'printf %s "$1"',
    "printf %s '$1'",
    'printf %s "$(printf %s $1)"',
    'printf %s "$(printf %s "$1")"',
    `(printf %s ''"$1")`,
    `echo "$(echo ')' "(")" \\" \${HOME} >/dev/null; printf %s $1`,
    "printf %s a\\'b >/dev/null; printf %s $1",
    "printf %s $1#",
  ])("stays what it is, one word, in: %s", (template) => {
    // One shell prints the outcome of all commands, each ended by a character that none of them prints.
    const commands = HOSTILE.map((word) => shellCommand(template, () => [word]))
    const script = commands.map((command) => `${command}\nprintf '\\001'`).join("\n")
    const printed = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\u0001").slice(0, -1)
    expect(printed).toEqual(HOSTILE.map((word) => (template.endsWith("#") ? `${word}#` : word)))
  })

  it("is one of several, or there is none", () => {
    expect(shellCommand("ls $1 -l", () => ["a b", "c"])).toBe("ls 'a b' 'c' -l")
    expect(shellCommand("ls $1 -l", () => [])).toBe("ls  -l")
    expect(shellCommand(`echo "$ARGUMENTS"`, () => ["a", "b"])).toBe(`echo "a b"`)
  })

  it("is not put in where the shell is told not to look", () => {
    expect(shellCommand(String.raw`echo \$1 "\$1" $$1`, () => ["x"])).toBe(String.raw`echo \$1 "\$1" $$1`)
  })

  it.each([
    "cat <<END\n$1\nEND",
    "cat <<-'END'\n$1\nEND",
    "echo # $1",
    "ls;# $1",
    "(ls)# $1",
    "(case a in a) echo $1;; esac)",
    "echo $((1 + $1))",
    "(( $1 > 2 )) && ls",
    "echo $[$1]",
    "echo ${x:-$1}",
    'echo "${x:-$1}"',
    "echo $'a$1'",
    'echo "$(case a in a) echo $1;; esac)"',
  ])("is refused where quotes do not help: %s", (template) => {
    expect(() => shellCommand(template, () => ["x"])).toThrow(TemplateError)
    expect(() => shellCommand(template, () => ["x"])).toThrow(/^\$1 cannot be put into the command/)
  })

  it("is not needed in such places", () => {
    for (const command of ["cat <<END\nx\nEND", "echo $((1 + 1)) # no", "echo ${x:-y}", "a <<<x", "echo a#b"]) {
      expect(shellCommand(command, () => [])).toBe(command)
    }
    expect(shellCommand("grep case $1", () => ["x"])).toBe("grep case 'x'")
    expect(shellCommand("ls $1 # files", () => ["x"])).toBe("ls 'x' # files")
    expect(shellCommand("cat <<<$1", () => ["x"])).toBe("cat <<<'x'")
  })
})
