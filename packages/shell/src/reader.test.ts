import { expect, it } from "vitest"
import { readCommand } from "./reader.ts"

const textsOf = (command: string) => readCommand(command).commands.map(({ text }) => text)
const writesOf = (command: string) => readCommand(command).redirects.map(({ path, mode }) => `${mode} ${path}`)

it("names commands in order of appearance, each once", () => {
  expect(textsOf('a $(b) && c | (d; a $(b)) > "$(e)"')).toEqual(["a $(b)", "b", "c", "d", "e"])
})

it.each([
  ["a command with too many parts", "nice a;".repeat(9000), "The command has too many parts."],
  ["a command that is nested too deep", `${"nice ".repeat(20)}rm x`, "Commands are nested more than 16 deep."],
])("says of %s only that", (_, command, sentence) => {
  expect(readCommand(command).unclear).toEqual([sentence])
})

it("names a wrapper and what it runs", () => {
  expect(readCommand("sudo -u me A=1 xargs -n 1 /bin/rm").commands).toEqual([
    { text: "sudo -u me A=1 xargs -n 1 /bin/rm", words: ["sudo", "-u", "me", "A=1", "xargs", "-n", "1", "/bin/rm"] },
    { text: "xargs -n 1 /bin/rm", words: ["xargs", "-n", "1", "/bin/rm"], via: "sudo" },
    { text: "/bin/rm …", words: ["/bin/rm", "…"], via: "xargs" },
    { text: "rm …", words: ["rm", "…"], via: "path" },
  ])
})

it("names a command with and without the assignments in front of it", () => {
  expect(readCommand("A=1 B='c d' make x").commands).toEqual([
    { text: "A=1 B='c d' make x", words: ["make", "x"] },
    { text: "make x", words: ["make", "x"], via: "assignment" },
  ])
})

it.each([
  [String.raw`e\cho 'a b' "c"d`, "echo 'a b' cd"],
  ['echo "it\'s"', String.raw`echo 'it'\''s'`],
  ["echo ''", "echo ''"],
  ["echo *.ts '*.ts'", "echo *.ts '*.ts'"],
  ["echo \"$a\"b'c' $d", 'echo "$a"bc $d'],
  ["echo ~/x '~/x' a~b", "echo ~/x '~/x' a~b"],
  ["echo a\\\nb", "echo ab"],
  [String.raw`echo $'\e[0m\n'`, "echo '\u001b[0m\n'"],
])("writes %s in one way", (command, text) => {
  expect(textsOf(command)).toEqual([text])
})

it("tells which files redirections read and write", () => {
  expect(writesOf("a < in > out 2>> err &> both <> two >| forced 2>&1 > /dev/null <&- 5>&1-")).toEqual([
    "read in",
    "write out",
    "write err",
    "write both",
    "read two",
    "write two",
    "write forced",
  ])
  expect(writesOf("a > $HOME/.bashrc; b > ~/.profile; c > '~/x'")).toEqual([
    "write ~/.bashrc",
    "write ~/.profile",
    "write ./~/x",
  ])
})

it("tells which files well-known commands write", () => {
  expect(writesOf("a | tee -a b c; cp d e/ ; dd if=x of=f; sed -i s/a/b/ g; mv h i; touch j; curl -o k u")).toEqual([
    "write b",
    "write c",
    "write e/",
    "write e/d",
    "read d",
    "write f",
    "read x",
    "write g",
    "write i",
    "write i/h",
    "read h",
    "write h",
    "write j",
    "write k",
  ])
})

it.each([
  ["cat a /b; head -n 5 c; tail -3 d", ["read a", "read /b", "read c", "read d"]],
  ["grep -rn -A 2 /api src | wc -l", ["read src"]],
  ["grep -e /api src", ["read src"]],
  ["sed -n 1p a; awk '/x/' b; sort c; ls d", ["read a", "read b", "read c", "read d"]],
  ['for f in /a b; do cat "$f"; done', ["read /a", "read b"]],
  ["cat /a/* ../b/?.ts *.md", ["read /a", "read ../b"]],
  ['cat "$HOME/a" "$PWD/../b"', ["read ~/a", "read ../b"]],
  ["find /a -name x | xargs cat", ["read /a"]],
  ["find a b -delete", ["read a", "read b", "write a", "write b"]],
  ["find -L -exec sed -i s/a/b/ {} +", ["write ."]],
  ["ln -s ../a b/c", ["write b/c", "write b/c/a", "read b/../a"]],
  ["ln -s /a", ["write a", "read /a"]],
  ["cp -ta/b c; mv --target=d e", ["write a/b", "write a/b/c", "read c", "write d", "write d/e", "read e", "write e"]],
  ["install -d a b", ["write a", "write b"]],
  ["sort -uo a b; uniq c d", ["write a", "read b", "write d", "read c", "read d"]],
  ["perl -pi -e s/a/b/ a b", ["write a", "write b"]],
  ["tar xf a -C b; tar -czf c d; unzip e -d f", ["read a", "write b", "write c", "read d", "read e", "write f"]],
  ["gzip a; xz -dk b; gzip -c d", ["write a", "write b", "read d"]],
  ["patch -p1 < a; patch b c; git apply a", ["write .", "read a", "write b"]],
  ["git checkout -- a; git -C b stash; git stash list", ["write .", "write a", "write b/."]],
  ["git diff --output=a; git clone b c", ["write a", "read b", "write c"]],
  [
    "git mv a b; git bundle create c HEAD; git worktree add -b x d",
    ["write .", "write a", "write b", "write c", "write d"],
  ],
  ["git clone --depth 1 -b x https://h/a; git init --separate-git-dir=b c", ["write .", "write b", "write c"]],
  ["git diff --no-index a b; git apply c; git commit -F d", ["read a", "read b", "write .", "read c", "read d"]],
  [
    "grep -f a -rn x b; sort -oc -T d e; date -r f",
    ["read a", "read x", "read b", "write c", "write d", "read e", "read f"],
  ],
  ["scp a h:b; scp -P 22 h:c d; rsync -e 'ssh -p 1' e h:f", ["read a", "write d", "write d/c", "read e"]],
  [
    "ar rc a b; ar x c; 7z a d e; 7z x f -og; zip -r h i",
    ["write a", "read b", "write .", "read c", "write d", "read e", "read f", "write g", "write h", "read i"],
  ],
  [
    "curl -T a -d @b -F c=@d file:///e h; jq -f f --rawfile g h i",
    ["read a", "read b", "read d", "read /e", "read f", "read h", "read i"],
  ],
  ["rm -rf /* ~/* $HOME/* a/* $b", ["write /", "write ~", "write a", "write ."]],
  ["curl -sLo a b; curl -O c; wget d", ["write a", "write c", "write .", "write d"]],
  ["env -C a touch b; make -C c", ["write a/b"]],
])("tells which files are touched by %s", (command, files) => {
  expect(writesOf(command).toSorted()).toEqual(files.toSorted())
})

it("tells which files well-known commands remove, make and hand over", () => {
  expect(writesOf("rm -rf a ../b; mkdir -p c/d; rmdir e; chmod 755 f; chown me g; unlink h")).toEqual(
    ["a", "../b", "c/d", "e", "f", "g", "h"].map((path) => `write ${path}`),
  )
})

it.each([
  ["cd a && b", ["a"]],
  ["cd a && cd ../.. && cd /c", ["a", "..", "/c"]],
  ["cd a; b; cd ..", ["a", "."]],
  ["(cd a && b); cd c", ["a", "c"]],
  ["cd; pushd ~/d", ["~", "~/d"]],
  ["cd ~/../d && cd e; cd ~/a/../b && cd ../../c", ["~/../d", "~/../d/e", "~/b", "~/b/../../c"]],
  ["cd $a; cd -", []],
  ["git -C /a status; make -C b; env -C c d; npm --prefix e test", ["/a", "b", "c", "e"]],
])("tells the directories that %s changes to", (command, directories) => {
  expect(readCommand(command).directories).toEqual(directories)
})

it.each([
  ["cd a && b > c", ["write a/c"]],
  ["cd a; b > c", ["write c", "write a/c"]],
  ["(cd a && b); c > d", ["write d"]],
  ["cd a && cd .. && b > c", ["write c"]],
  ["cd /a && b > c > /d", ["write /a/c", "write /d"]],
  ["cd && a > .bashrc", ["write ~/.bashrc"]],
  ["cd .git/hooks && tee pre-commit", ["write .git/hooks/pre-commit"]],
  ["pushd a && b > c", ["write a/c"]],
  ["{ cd a; } && b > c", ["write c", "write a/c"]],
  ["if cd a; then b > c; fi", ["write c", "write a/c"]],
  ["eval 'cd a' && b > c", ["write c", "write a/c"]],
])("follows changes of directory in %s", (command, writes) => {
  expect(writesOf(command)).toEqual(writes)
  expect(readCommand(command).unclear).toEqual([])
})

it.each([
  "cd $a && b > c",
  "cd - && a > b",
  "popd; a > b",
  "for i in 1 2; do cd ..; a > b; done",
  "f() { cd ..; }; f; a > b",
  "f() { a > b; }; cd c; f",
  "a > $b",
  "a > *.txt",
  "a > ~someone/x",
  "a | tee $b",
])("says that the file is not known in %s", (command) => {
  expect(readCommand(command).unclear).not.toEqual([])
})

it("tells assignments that change what commands mean, wherever they are made", () => {
  const { assignments, unclear } = readCommand(
    "PATH=/x:$PATH a; LD_PRELOAD=y b; export NODE_OPTIONS='-r z'; env GIT_DIR=g c; read IFS; declare EDITOR=e; " +
      "printf -v PAGER %s p; for CDPATH in d; do :; done; : ${PYTHONSTARTUP:=s}; ((SHELL=1)); LESSKEYIN=k git log; A=1 d; IFS= read -r l",
  )
  expect(assignments).toEqual([
    { name: "PATH" },
    { name: "LD_PRELOAD", value: "y" },
    { name: "NODE_OPTIONS", value: "-r z" },
    { name: "GIT_DIR", value: "g" },
    { name: "IFS" },
    { name: "EDITOR", value: "e" },
    { name: "PAGER" },
    { name: "CDPATH", value: "d" },
    { name: "PYTHONSTARTUP", value: "s" },
    { name: "SHELL" },
    { name: "LESSKEYIN", value: "k" },
  ])
  expect(unclear).toEqual([])
})

it("says in a sentence what is not understood, and where", () => {
  expect(readCommand("git status; $a x").unclear).toEqual(['The name of the command "$a" is not literal.'])
  expect(readCommand("a 'b").unclear).toEqual(["The command could not be parsed: unterminated single quote."])
  expect(readCommand("a\u200bb").unclear).toEqual(["The command contains an invisible character (U+200B, in line 1)."])
  expect(readCommand("x | sh").unclear).toEqual(["sh reads its script from the input."])
})

it("has nothing to say about nothing", () => {
  for (const nothing of ["", " \n\t", "# rm x"])
    expect(readCommand(nothing)).toEqual({
      commands: [],
      redirects: [],
      unpacked: [],
      patterns: [],
      named: [],
      made: [],
      directories: [],
      assignments: [],
      unclear: [],
    })
  for (const empty of ["a=1", "> b", "((1))"]) expect(readCommand(empty).unclear).toHaveLength(1)
})

it("parses nothing beyond 65,536 characters", () => {
  expect(readCommand(`echo ${"a".repeat(65_500)}`).unclear).toEqual([])
  expect(readCommand("a".repeat(1_000_000))).toMatchObject({
    commands: [],
    unclear: ["The command is longer than 65536 characters."],
  })
})

it.each([
  "(",
  "$(",
  "`",
  '"$(',
  "{ ",
  "((",
  "${a:-",
  "<(",
  "if ",
  "case a in (",
  "[[ (",
  "$((",
  "a=(",
  "cat <<A\n",
  "env ",
  "eval '",
  "!",
])("survives any number of %s", (piece) => {
  for (const count of [10, 300, 5000])
    expect(readCommand(`${piece.repeat(count)}rm x`).commands.length).toBeLessThan(20_000)
})

it("takes for ten times the text far less than a hundred times as long", () => {
  const line = `for f in src/*.ts; do grep -n "$(basename "$f" .ts)" "$f" | head -3 && echo 'done'; done\n`
  const texts = [line.repeat(12), line.repeat(120)] as const
  const took = (text: string) => {
    const start = process.cpuUsage()
    readCommand(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  // In turns, so that both meet the same machine.
  const rounds = Array.from({ length: 40 }, () => texts.map((text) => took(text)))
  const [small = 0, large = 0] = texts.map((_text, at) => Math.min(...rounds.map((round) => round[at] ?? Infinity)))
  expect(large / small).toBeLessThan(40)
})
