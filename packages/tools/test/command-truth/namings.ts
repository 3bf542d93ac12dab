/** A way to name a file whose path is told relative to the project. */
export interface Naming {
  readonly name: string
  /** The words for the path, and the command around those that use it. */
  readonly wrap: (path: string, use: (word: string) => string, root: string) => string
}

const plain = (name: string, word: (path: string, root: string) => string): Naming => ({
  name,
  wrap: (path, use, root) => use(word(path, root)),
})

/** A word that is given its value by what stands before it. */
const prepared = (name: string, before: (path: string) => string, word: string): Naming => ({
  name,
  wrap: (path, use) => `${before(path)}; ${use(word)}`,
})

const absolute = (path: string, root: string) => path.replace(/^\.\./, root)
const below = (path: string) => path.replace(/^\.\.\/[^/]*\/?/, "")
const place = (path: string) => /^\.\.\/([^/]*)/.exec(path)?.[1] ?? ""

const WRITTEN: readonly Naming[] = [
  plain("literal", (path) => path),
  plain("absolute", absolute),
  plain("ansi quotes", (path) => `$'${path.replaceAll("/", "\\x2f")}'`),
  plain("split quotes", (path) => path.replace("..", `.'.'`)),
  plain("the home of a user", (path, root) => `~daemon/../..${absolute(path, root)}`),
  plain("~+", (path) => `~+/${path}`),
  plain("~-", (path) => `~-/../${path.slice(3)}`),
  plain("~", (path) => `~/${path}`),
  plain("$OLDPWD", (path) => `"$OLDPWD/${path}"`),
  plain("${PWD%/*}", (path) => `"\${PWD%/*}/${path.slice(3)}"`),
  plain("${PWD/…}", (path) => `"\${PWD/project}${path.slice(3)}"`),
  plain("$PWD", (path) => `"$PWD/${path}"`),
  plain("$HOME", (path) => `$HOME/${path}`),
  plain("${HOME:0}", (path) => `\${HOME:0}/${path}`),
  plain("${HOME%…}", (path) => `\${HOME%home}${path.slice(3)}`),
  plain("$(pwd)", (path) => `"$(pwd)/${path}"`),
  plain("$(dirname)", (path) => `"$(dirname "$PWD")/${path.slice(3)}"`),
  plain("braces", (path) => `{${path},a.txt}`),
  plain("braces in a name", (path) => path.replace("..", ".{.,}")),
  plain("braces around nothing", (path) => `{.,}./${path.slice(3)}`),
  plain("a pattern outside", (path) => path.replace(/\/(\w)\w+/, "/$1*")),
  plain("a pattern of parents", (path) => `.*/${path.slice(3)}`),
  plain("a pattern of a link", (path) => `l*k/../${path.slice(3)}`),
  plain("a bracket", (path) => `[l]ink/../${path.slice(3)}`),
  plain("a question", (path) => `lin?/../${path.slice(3)}`),
  plain("a default", (path) => `\${none:-${path}}`),
  plain("an alternative", (path) => `\${HOME:+${path}}`),
  plain("$(printf)", (path) => `"$(printf '%s/%s' .. ${path.slice(3)})"`),
  plain("$(echo)", (path) => `$(echo ${path})`),
  plain("$(echo | tr)", (path) => `$(echo ${path.replaceAll("/", "@")} | tr @ /)`),
  plain("$(cat <<<)", (path) => `$(cat <<< ${path})`),
  prepared("a variable", (path) => `p=${path}`, '"$p"'),
  prepared("a variable of a part", () => "p=..", `"$p/PATH"`),
  prepared("a variable that grows", (path) => `p=.; p+=${path.slice(1)}`, '"$p"'),
  prepared("a variable without its beginning", (path) => `p=x${path}`, '"${p#x}"'),
  prepared("a slice", (path) => `p=x${path}`, '"${p:1}"'),
  prepared("a replacement", (path) => `p=${path.replace("..", "@")}`, '"${p/@/..}"'),
  prepared("lower case", (path) => `p=${path.toUpperCase()}`, '"${p,,}"'),
  prepared("a pattern in a variable", (path) => `p='${path.replace(/\/(\w)\w+/, "/$1*")}'`, "$p"),
  prepared("two words in a variable", (path) => `p='a.txt ${path}'`, "$p"),
  prepared("a chain of variables", (path) => `q=${path}; p=$q`, '"$p"'),
  prepared("an indirection", (path) => `q=${path}; n=q`, '"${!n}"'),
  prepared("a list", (path) => `p=(a.txt ${path})`, '"${p[1]}"'),
  prepared("all of a list", (path) => `p=(${path})`, '"${p[@]}"'),
  prepared("an entry of a list", (path) => `p[3]=${path}`, '"${p[3]}"'),
  prepared("a list that grows", (path) => `p=(); p+=(${path})`, '"${p[0]}"'),
  prepared("declare", (path) => `declare p=${path}`, '"$p"'),
  prepared("export of another", (path) => `q=${path}; export p="$q"`, '"$p"'),
  prepared("set --", (path) => `set -- ${path}`, '"$1"'),
  prepared("all parameters", (path) => `set -- ${path}`, '"$@"'),
  prepared("a here-string", (path) => `read -r p <<< ${path}`, '"$p"'),
  prepared("a here-document", (path) => `read -r p <<E\n${path}\nE\n:`, '"$p"'),
  prepared("a pipe into read", (path) => `shopt -s lastpipe; echo ${path} | read -r p`, '"$p"'),
  prepared("mapfile", (path) => `mapfile -t p <<< ${path}`, '"${p[0]}"'),
  prepared("mapfile of a list", (path) => `echo ${path} > names; mapfile -t p < names`, '"${p[0]}"'),
  prepared("printf -v", (path) => `printf -v p %s ${path}`, '"$p"'),
  prepared("the output of a program", (path) => `echo ${path} > names; p=$(cat names)`, '"$p"'),
  prepared("the content of a file", (path) => `echo ${path} > names`, '"$(< names)"'),
  prepared("the last word", (path) => `: ${path}`, '"$_"'),
  prepared("the directory before", () => "p=$PWD; cd sub", '"$p/PATH_UP"'),
  { name: "a loop", wrap: (path, use) => `for p in ${path}; do ${use('"$p"')}; done` },
  {
    name: "a loop over a pattern",
    wrap: (path, use) => `for p in ../${place(path)[0]}*; do ${use(`"$p/${below(path)}"`)}; done`,
  },
  { name: "a loop over links", wrap: (path, use) => `for p in l*k; do ${use(`"$p/../${path.slice(3)}"`)}; done` },
  { name: "a loop over braces", wrap: (path, use) => `for p in {a.txt,${path}}; do ${use('"$p"')}; done` },
  {
    name: "a loop that reads",
    wrap: (path, use) => `echo ${path} > names; while read -r p; do ${use('"$p"')}; done < names`,
  },
  {
    name: "a loop over a pipe",
    wrap: (path, use) => `echo ${path} > names; cat names | while read -r p; do ${use('"$p"')}; done`,
  },
  {
    name: "a loop over an output",
    wrap: (path, use) => `echo ${path} > names; while read -r p; do ${use('"$p"')}; done < <(cat names)`,
  },
  { name: "xargs", wrap: (path, use) => `echo ${path} > names; cat names | xargs -I% ${use("%")}` },
  { name: "xargs of echo", wrap: (path, use) => `echo ${path} | xargs -I% ${use("%")}` },
  { name: "xargs -a", wrap: (path, use) => `echo ${path} > names; xargs -a names -I% ${use("%")}` },
  { name: "xargs from a file", wrap: (path, use) => `echo ${path} > names; xargs -I% ${use("%")} < names` },
  { name: "xargs of a here-string", wrap: (path, use) => `xargs -I% ${use("%")} <<< ${path}` },
  { name: "xargs behind a filter", wrap: (path, use) => `ls a.txt | sed s,.*,${path}, | xargs -I% ${use("%")}` },
  { name: "find -exec", wrap: (path, use) => `find ${path} -maxdepth 0 -exec ${use("{}")} \\;` },
  plain("find in $()", (path) => `"$(find . -name link)${path.slice(6)}"`),
  plain("ls in $()", (path) => `$(ls | grep nk$)${path.slice(6)}`),
  plain("git ls-files in $()", (path) => `$(git ls-files -o | grep nk$)${path.slice(6)}`),
  prepared("ls in a variable", () => "p=$(ls | grep nk$)", '"$p/BELOW"'),
  { name: "a loop over ls", wrap: (path, use) => `for p in $(ls | grep nk$); do ${use(`"$p${path.slice(6)}"`)}; done` },
  {
    name: "a loop that reads git ls-files",
    wrap: (path, use) => `git ls-files -o | grep nk$ | while read -r p; do ${use(`"$p${path.slice(6)}"`)}; done`,
  },
  {
    name: "a loop that reads find",
    wrap: (path, use) => `while read -r p; do ${use(`"$p${path.slice(6)}"`)}; done < <(find . -name link)`,
  },
  { name: "xargs of ls", wrap: (path, use) => `ls | grep nk$ | xargs -I% ${use(`%${path.slice(6)}`)}` },
  { name: "xargs of find", wrap: (path, use) => `find . -name link | xargs -I% ${use(`%${path.slice(6)}`)}` },
  { name: "find -exec of links", wrap: (path, use) => `find . -name link -exec ${use(`{}${path.slice(6)}`)} \\;` },
  {
    name: "cd to what ls names",
    wrap: (path, use) => `for p in $(ls -d l*k); do (cd $p && ${use(path.slice(7) || ".")}); done`,
  },
  { name: "a function", wrap: (path, use) => `f() { ${use('"$1"')}; }; f ${path}` },
  { name: "a local variable", wrap: (path, use) => `f() { local p="$1"; ${use('"$p"')}; }; f ${path}` },
  { name: "bash -c", wrap: (path, use) => `bash -c '${use('"$0"')}' ${path}` },
  { name: "the environment", wrap: (path, use) => `p=${path} bash -c '${use('"$p"')}'` },
  { name: "a directory before", wrap: (path, use) => `cd ../${place(path)} && ${use(below(path) || ".")}` },
  { name: "cd $OLDPWD", wrap: (path, use) => `cd "$OLDPWD" && ${use(path)}` },
  { name: "cd -", wrap: (path, use) => `cd - > /dev/null && ${use(path)}` },
  { name: "cd ~-", wrap: (path, use) => `cd ~- && ${use(path)}` },
  { name: "cd ${PWD%/*}", wrap: (path, use) => `cd \${PWD%/*} && ${use(path.slice(3))}` },
  { name: "cd to a pattern", wrap: (path, use) => `cd l*k && ${use(`../${place(path)}/${below(path)}`)}` },
  { name: "cd through a link", wrap: (path, use) => `cd -P link && ${use(path)}` },
  {
    name: "cd to a list",
    wrap: (path, use) => `echo ../${place(path)} > names; cd "$(cat names)" && ${use(below(path) || ".")}`,
  },
]

/** Ways to name a file outside of the project. */
export const NAMINGS: readonly Naming[] = WRITTEN.map(({ name, wrap }) => ({
  name,
  wrap: (path, use, root) =>
    wrap(path, use, root)
      .replaceAll("PATH_UP", path)
      .replaceAll("/BELOW", path.slice(6))
      .replaceAll("PATH", path.slice(3)),
}))
