/** A source of numbers from 0 to 1, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const { raw } = String

const SPELLINGS = [
  "rm x",
  raw`r\m x`,
  "'rm' x",
  '"r"m x',
  raw`$'\x72m' x`,
  "r\\\nm x",
  'r""m "x"',
  "A=1 rm x",
  ">out rm x",
  "rm x 2>&1",
  "env rm x",
  "timeout 5 rm x",
  "command rm x",
  "nice -n 3 env B=2 rm x",
  "echo x | xargs rm",
  raw`find . -maxdepth 0 -exec rm x \;`,
  "c=rm; $c x",
  "$(echo rm) x",
  "rm $(echo x)",
  'rm "${none:-x}"',
]

const single = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const double = (text: string) => `"${text.replaceAll(/[\\"$`]/g, "\\$&")}"`

/** Ways to put a script around another one, which then runs. */
const AROUND: readonly ((inner: string, end: string) => string)[] = [
  (inner) => `(\n${inner}\n)`,
  (inner) => `{\n${inner}\n}`,
  (inner) => `if true; then\n${inner}\nfi`,
  (inner) => `if\n${inner}\nthen :; fi`,
  (inner) => `for i in 1; do\n${inner}\ndone`,
  (inner) => `for ((i=0;i<1;i++)) {\n${inner}\n}`,
  (inner) => `while\n${inner}\ndo break; done`,
  (inner) => `until\n${inner}\nfalse; do break; done`,
  (inner) => `case a in a)\n${inner}\n;; esac`,
  (inner) => `case a in b) : ;; (*)\n${inner}\nesac`,
  (inner) => `f() {\n${inner}\n}\nf`,
  (inner) => `function g (\n${inner}\n)\ng`,
  (inner) => `echo $(\n${inner}\n)`,
  (inner) => `echo "a $(\n${inner}\n) b"`,
  (inner) => `x=$(\n${inner}\n)`,
  (inner) => `echo \${none:-$(\n${inner}\n)}`,
  (inner) => `echo "\${none:-"$(\n${inner}\n)"}"`,
  (inner) => `echo $(( 1 + $(\n${inner}\n) 0 ))`,
  (inner) => `[[ -n $(\n${inner}\n) ]]`,
  (inner) => `[ -z "$(\n${inner}\n)" ]`,
  (inner) => `echo \`${inner.replaceAll(/[\\`$]/g, "\\$&")}\``,
  (inner) => `echo "\`${inner.replaceAll(/[\\`$"]/g, "\\$&")}\`"`,
  (inner) => `cat <(\n${inner}\n)`,
  (inner) => `echo a > >(\n${inner}\n); sleep 0.02`,
  (inner, end) => `cat <<${end}\n$(\n${inner}\n)\n${end}`,
  (inner, end) => `cat <<-${end}\n\t$(\n${inner}\n)\n\t${end}`,
  (inner, end) => `bash <<'${end}'\n${inner}\n${end}`,
  (inner, end) => `cat <<'${end}'\n'\n${end}\n${inner}`,
  (inner) => `cat <<< "$(\n${inner}\n)"`,
  (inner) => `bash <<< ${single(inner)}`,
  (inner) => `bash -c ${single(inner)}`,
  (inner) => `bash -c ${double(inner)}`,
  (inner) => `eval ${single(inner)}`,
  (inner) => `eval ${double(inner)}`,
  (inner) => `trap ${single(inner)} EXIT`,
  (inner) => `env A=1 bash -c ${single(inner)}`,
  (inner) => `timeout 5 nice bash -ec ${single(inner)}`,
  (inner) => `echo x | xargs -I @@ bash -c ${single(inner)}`,
  (inner) => `find . -maxdepth 0 -exec bash -c ${single(inner)} \\;`,
  (inner) => `flock lock -c ${single(`bash -c ${single(inner)}`)}`,
  (inner) => `true && {\n${inner}\n}`,
  (inner) => `false || (\n${inner}\n)`,
  (inner) => `{\n${inner}\n} | cat`,
  (inner) => `echo | {\n${inner}\n}`,
  (inner) => `{\n${inner}\n} &\nwait`,
  (inner) => `! {\n${inner}\n}`,
  (inner) => `time {\n${inner}\n}`,
  (inner) => `coproc {\n${inner}\n}\nwait`,
  (inner) => `echo 'a # b' # c\n${inner} # d`,
  (inner) => `echo "'"; ${inner}\necho '"'`,
  (inner) => `git log; ${inner}`,
]

/** A script that runs `rm`, wrapped in some ways. */
export function wrappedCommand(random: () => number): string {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  let script = pick(SPELLINGS)
  const depth = 1 + Math.floor(random() * 4)
  for (let level = 0; level < depth; level++) script = pick(AROUND)(script, `E${level}`)
  return script
}

const TOKENS = [
  ..."rm rm rm git echo x env eval time coproc function if then fi do done case in esac for while ! { } ( ) (( )) [[ ]]".split(
    " ",
  ),
  ...[
    " ",
    " ",
    " ",
    " ",
    " ",
    ";",
    ";",
    "\n",
    "\n",
    "&",
    "&&",
    "|",
    "||",
    "'",
    "'",
    '"',
    '"',
    "\\",
    "`",
    "`",
    "$(",
    "$(",
    ")",
    ")",
  ],
  ...[
    "${",
    "}",
    "$",
    "<(",
    ">",
    "<",
    "<<A",
    "\nA\n",
    "<<<",
    "#",
    "=",
    "a=",
    "a=(",
    "$'",
    "*",
    "?",
    "[",
    "]",
    "~",
    "-",
    "-c",
    ":",
  ],
]

/** Pieces of a shell's language in any order. */
export function randomTokens(random: () => number): string {
  const count = 3 + Math.floor(random() * 12)
  return Array.from({ length: count }, () => TOKENS[Math.floor(random() * TOKENS.length)]).join(
    random() < 0.5 ? " " : "",
  )
}
