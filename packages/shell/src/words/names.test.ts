import { expect, it } from "vitest"
import { readCommand } from "../reader.ts"
import { BELOW } from "./hole.ts"

const LISTING = new RegExp(`${BELOW}(.*)${BELOW}`)

it.each([
  ["cat ~+/a ~/b $PWD/c", ["read a", "read ~/b", "read c"]],
  ["f=a; cat $f.x ${f}/y", ["read a.x", "read a/y"]],
  [
    "f=a/b.ts; cat ${f%.ts} ${f%.*}.js ${f##*/} ${f%/*} ${f/b/c} ${f:2}",
    ["a/b", "a/b.js", "b.ts", "a", "a/c.ts", "b.ts"].map((path) => `read ${path}`),
  ],
  ['l=(a b); cat ${l[0]} "${l[@]}"', ["read a", "read b"]],
  ["f() { local p=$1; cat $p; }; f a", ["read a"]],
  ["p='a b'; cat $p", ["read a", "read b"]],
  ["read -r p <<< a; cat $p", ["read a"]],
  ["echo a | while read -r p; do cat $p; done", ["read a"]],
  ["cat $(echo a) `printf '%s\\n' b`", ["read a", "read b"]],
  ["touch {a,../b}/{c,d}", ["a/c", "a/d", "../b/c", "../b/d"].map((path) => `write ${path}`)],
  ["cat ${none:-a}", ["read a"]],
  ["dd of=~/a if=b 2>/dev/null", ["write ~/a", "read b"]],
  ["cat < ~/a; f=b; cat < $f", ["read ~/a", "read b"]],
])("knows the names in %s", (command, files) => {
  const { redirects, patterns, unclear } = readCommand(command)
  expect(unclear).toEqual([])
  expect(patterns).toEqual([])
  expect(redirects.map(({ path, mode }) => `${mode} ${path}`).toSorted()).toEqual([...new Set(files)].toSorted())
})

it.each([
  ["cat a/*.ts '*'/?", ["read a/*.ts", "read \\*/?"]],
  ["for f in *.ts; do cat $f ${f%.ts}.js; done", ["read *.ts", "read *.js"]],
  ["cd a && rm -f [xy]*", ["write a/[xy]*"]],
  ["p='a*'; cat $p", ["read a*"]],
  ["for d in p/*; do (cd $d && ls); done", ["enter p/*"]],
  ["tar cf b-$(date +%F).tar a; touch c-$$", ["write b-[-0-9]*.tar", "write c-[-0-9]*"]],
  ["yq . a*/b", ["maybe a*/b"]],
  ["jq . a*/b; grep -R x a; find -L", ["read a*/b", "follow a", "follow ."]],
  ["find a -name '*.o' -delete", ["write a/<><>*.o"]],
  ["find a -name x | sort | head -3 | xargs cat", ["read a/<><>x"]],
  ["find . -maxdepth 1 -type f -iname 'b*' | xargs cat", ["read <f1><>[b]*"]],
  ["find . \\( -name a -o -type f \\) | xargs cat", ["read <><>*"]],
  ["find . -name a -prune -o -type f -name b | xargs cat", ["read <><>a", "read <><>b"]],
  ["ls; ls -A | xargs cat; ls -d a* | xargs cat", ["read *", "read .[!.]*", "read a*"]],
  [
    "git ls-files '*.ts' | while read -r f; do mv $f ${f%.ts}.js; done",
    [
      ...["made <g><>*.js", "source <g><>*.ts", "write <g><>*.js", "joined .js/<g><>*.ts"],
      ...["read <g><>*.ts", "write <g><>*.ts"],
    ],
  ],
  ['for f in *.bak; do cp a "${f%.bak}"; done', ["made *", "source *.bak", "write *", "made */a", "write */a"]],
  ["ls | xargs -I{} touch .{} b/{}", ["made .*", "source *", "write .*", "joined b/*", "write b/*"]],
  ["grep -rl --include='*.md' x a | xargs cat", ["read <f><>*.md", "read a/<f><>*.md"]],
  [
    "rg -l x | xargs cat; rg -l --hidden x | xargs cat; fd x | xargs cat",
    ["read <fv><>*", "read <f><>*", "read <v><>*"],
  ],
  ["cat a/$(ls)b", ["read *b", "read a/*b", "read *", "read a/*"]],
  ["for f in $(ls); do cat a/$f; done", ["read a/*"]],
])("hands the patterns in %s on to the file system", (command, patterns) => {
  const reading = readCommand(command)
  expect(reading.unclear).toEqual([])
  const shown = reading.patterns.map(({ pattern, mode }) => `${mode} ${pattern.replace(LISTING, "<$1><>")}`)
  expect(shown).toEqual(patterns)
})

it.each([
  ...[
    "cat ~someone/a",
    "cat ~-/a",
    "cat $OLDPWD/a",
    "cat ${PWD%/*}/a",
    "cat ${HOME:0}/a",
    "cat $a",
    "rm -rf $a/b",
    "cat ${!a}",
  ],
  ...[
    "cat $(cat list)",
    "cat `head list`",
    "cat list | xargs cat",
    "xargs -a list cat",
    "xargs cat < list",
    "while read f; do cat $f; done < list",
  ],
  ...[
    "mapfile -t f < list; cat ${f[0]}",
    "printf -v f %s a; cat $f",
    "f=.; f+=./a; cat $f",
    "declare -A m=([k]=../a); cat ${m[k]}",
    "cat $_",
  ],
  ...[
    "cd ~-",
    "cd -",
    "cd $OLDPWD && ls",
    "cd $(cat place)",
    "pushd $a",
    "git -C $a log",
    "p=$PWD; cd a; cat $p/../b",
    "cat < $a",
    "echo x | tee {1..1000}",
  ],
  ...[
    "ls | sed s,^,/, | xargs cat",
    "echo 'a\\x' | xargs -d x cat",
    "git log --format=/a | xargs cat",
    "find . -printf /a | xargs rm",
    "grep -o /.* a | xargs cat",
  ],
  ...[
    "echo a | cut -c1 | xargs cat",
    "cat ${f^^}",
    "f=a; cat ${f@E}",
    "f=a; cat ${f/a*/b}",
    "bash -c 'cat $0' a",
    "cat $(echo -e a)",
  ],
])("does not know the names in %s", (command) => {
  expect(readCommand(command).unclear).not.toEqual([])
})
