import { execFileSync } from "node:child_process"
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createShellReader } from "@pawl/shell"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { testDirectory } from "../../../test/directory.ts"
import { isReading } from "./is-reading.ts"

const reader = await createShellReader()

function git(cwd: string, ...words: string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], { cwd, stdio: "pipe" })
}

/** A work tree with a commit and a change, and with a file whose name is an option. */
async function repository(): Promise<string> {
  return committed(await testDirectory())
}

async function committed(directory: string): Promise<string> {
  await mkdir(join(directory, "sub"))
  const files = { "a.ts": "one\ntwo\n", "sub/b.md": "three\n", "--output=x": "", "-delete": "" }
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  git(directory, "init", "-q", "-b", "main")
  git(directory, "add", ".")
  git(directory, "commit", "-q", "-m", "First")
  await writeFile(join(directory, "a.ts"), "one\n2\n")
  return directory
}

function reads(command: string, cwd: string): boolean {
  return isReading(reader.read(command), { cwd, home: join(cwd, "home") })
}

/** All files with what is in them, but for git's own. */
async function contents(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const own = files.filter((file) => !file.startsWith(join(directory, ".git", "index"))).toSorted()
  return JSON.stringify(await Promise.all(own.map(async (file) => [file, await readFile(file, "latin1")])))
}

describe("a command that only reads", () => {
  let directory = ""
  beforeAll(async () => {
    directory = await committed(await realpath(await mkdtemp(join(tmpdir(), "pawl-reading-"))))
    await mkdir(join(directory, ".aws"))
    for (const name of [".env", ".npmrc", ".aws/credentials"]) await writeFile(join(directory, name), "")
    await symlink(".env", join(directory, "link.md"))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it.each([
    "ls -la",
    "ls *.ts sub/*",
    "pwd; whoami",
    "cat a.ts | head -5 | wc -l",
    "cat a.ts 2>/dev/null || true",
    "cd sub && ls && git status",
    "git status --porcelain=v1 -b",
    "git log --oneline -5",
    "git log -p -S two --since=yesterday -- a.ts",
    "git --no-pager diff HEAD --stat",
    "git -C sub log --format='%h %s' main",
    "git show HEAD:a.ts",
    "git blame -L 1,2 a.ts",
    "git grep -n 'two$' HEAD -- '*.ts'",
    "git branch -a",
    "git branch --list 'm*'",
    "git tag -l",
    "git remote -v",
    "git stash list",
    "git config --get user.name || true",
    "git rev-parse --show-toplevel",
    "git ls-files | grep ts",
    "GIT_PAGER=cat git log",
    "grep -rn 'two' . --include='*.ts' || echo none",
    "rg -n two -g '*.ts' || true",
    "find . -type f -name '*.ts' -not -path './node_modules/*'",
    "find . \\( -name a -o -name b \\) -print",
    "sort -k1,1 a.ts | uniq -c | sort -rn",
    "sed -n '1,2p' a.ts",
    "awk -F: '{ print $1 }' a.ts",
    'for f in a.ts sub/b.md; do cat "$f"; done',
    "test -f a.ts && echo yes",
    "timeout 5 git log --oneline",
    "command -v git",
    "date +%s; date -u",
    "printf '%s\\n' x",
    "diff a.ts sub/b.md || true",
    "cat <<'X'\nhello\nX",
    "cat *.ts sub/*",
    "cat $(git ls-files '*.ts')",
    "strings a.ts",
  ])("is known, and leaves all as it is: %s", async (command) => {
    expect(reads(command, directory)).toBe(true)
    const before = await contents(directory)
    // No program of this name has to be installed.
    execFileSync("bash", ["-c", command.replace(/^rg /, "grep -rn two . ; : ")], { cwd: directory, stdio: "pipe" })
    expect(await contents(directory)).toBe(before)
  })

  it.each([
    "",
    "ls > x",
    "ls >| x",
    "ls &> x",
    "cat a.ts | tee x",
    "echo x >> a.ts",
    "rm a.ts",
    "./ls",
    "sub/../ls",
    "$CMD",
    "'ls' ; \\rm a.ts",
    "ls $(rm a.ts)",
    "ls `touch x`",
    "ls; f() { touch x; }; f",
    "alias ls=rm; ls a.ts",
    "PATH=. ls",
    "LD_PRELOAD=./x.so ls",
    "PAGER='touch x' git log",
    "GIT_PAGER=./x git log",
    "GIT_EXTERNAL_DIFF=./x git diff",
    "GIT_TRACE=$PWD/x git log",
    "export GIT_PAGER=./x; git log",
    "printf -v PATH .; ls",
    "read PATH < a.ts; ls",
    "git log --output=x",
    "git log '--output=x'",
    "git log --outp=x",
    "git log $X",
    'git log "$X"',
    "git log *",
    "git log --{output=x,p}",
    "git log {-p,--output=x}",
    "git diff --ext-diff",
    "git diff --textconv",
    "git -c core.pager='touch x' log",
    "git -c core.fsmonitor=./x status",
    "git --paginate log",
    "git --exec-path=. status",
    "git --git-dir=x status",
    "git --config-env=core.pager=X log",
    "git -C sub/../other status",
    "git -C . -C sub log",
    "cat .env",
    "grep KEY config/prod.env.local",
    "git show HEAD:.env",
    "grep -f /etc/hostname a.ts",
    "grep -rnf/etc/hostname a.ts",
    "grep --file=/etc/hostname a.ts",
    "grep --fi=/etc/hostname a.ts",
    "rg -f/etc/hostname x",
    "wc --files0-from=/etc/hostname",
    "du --files0=/etc/hostname",
    "diff --from-file=/etc/hostname a.ts",
    "cat ~root/x",
    "cat ~+/x",
    "cd - && git log",
    "cd $X && git log",
    "cd ~ && git log",
    "popd; git log",
    "for PATH in .; do ls; done",
    ": ${PATH:=.}; ls",
    "echo $((PATH=1)); ls",
    "[[ 'a[$(touch x)]' -eq 1 ]] && ls",
    "echo ${a[$(touch x)]}",
    "ls 3<>x",
    "cat <<X\n$(touch x)\nX",
    "sort '-ox' a.ts",
    'cat() { find . "$@"; }; cat -delete',
    "git grep -O./x two",
    "git grep --open-files-in-pager=./x two",
    "git log --show-signature",
    "git log --help",
    "git branch new",
    "git branch --sort --list new",
    "git branch -D main",
    "git branch -m x",
    "git branch --edit-description",
    "git tag v1",
    "git tag -a v1",
    "git tag v1 -- --list",
    "git tag -d v1",
    "git config user.name --get",
    "git config user.name x",
    "git config --add --get user.name x",
    "git config --get -f x a.b",
    "git config -e",
    "git remote -v add x y",
    "git remote -v update",
    "git remote show origin",
    "git remote add x y",
    "git stash",
    "git stash drop",
    "git reflog expire --all",
    "git reflog delete HEAD@{0}",
    "git worktree add x",
    "git checkout .",
    "git restore a.ts",
    "git fetch",
    "git ls-remote",
    "git archive HEAD",
    "git cat-file --textconv HEAD:a.ts",
    "git cat-file --filters HEAD:a.ts",
    "git x",
    "find . -delete",
    "find . -name * ",
    "find . -exec rm {} +",
    "find . -execdir touch x ;",
    "find . -ok rm {} \\;",
    "find . -fprint x",
    "find . -fprintf x %p",
    "find . -fls x",
    "find -files0-from a.ts",
    "find $X",
    "sort -o x a.ts",
    "sort -uo x a.ts",
    "sort --output=x a.ts",
    "sort --outp x a.ts",
    "sort --compress-program=./x a.ts",
    "sort *",
    "uniq a.ts x",
    "uniq -- a.ts x",
    "sed -i s/a/b/ a.ts",
    "sed -n 'w x' a.ts",
    "sed -n '1e touch x' a.ts",
    "sed -n 1p -i a.ts",
    "sed -n 1p -f a.ts",
    "awk 'BEGIN { system(\"touch x\") }'",
    "awk '{ print > \"x\" }' a.ts",
    "awk '{ print | \"sh\" }' a.ts",
    "awk 'BEGIN { \"date\" | getline x }'",
    "awk -f a.ts",
    "awk -i inplace 1 a.ts",
    "rg --pre ./x two",
    "rg --pre=./x two",
    "rg --hostname-bin=./x two",
    "tree -o x",
    "tree -R -L 1",
    "file -C -m x",
    "date -s 2020-01-01",
    "date 01010000",
    "xargs ls",
    "git ls-files | xargs sort",
    "env ls",
    "timeout 5 rm a.ts",
    "timeout $X ls",
    "command rm a.ts",
    "command $X",
    "test -v 'a[$(touch x)]'",
    "[ $X ]",
    "strings @a.ts",
    "strings *",
    "cat .npmrc",
    "cat sub/.NPMRC",
    "cat tls/server.key",
    "cat TLS/SERVER.PEM",
    "cat keys/id_rsa",
    "cat .gnupg/a/b",
    "cat .nuget/NuGet.Config",
    "git show HEAD:tls/server.pem",
    "git show HEAD:.azure/a.json",
    "awk 1 .npmrc",
    "cat .e*",
    "cat .en[v]",
    "cat link*",
    "cat link.md",
    "cat .aws//credentials",
    "cd .aws && cat credentials",
    "x=.npmrc; cat $x",
    "cat $(git ls-files)",
    "cat < .npmrc",
    "git show HEAD:.npmrc",
    "git log --format=%GG",
    "git log --pretty=format:%h%+GK",
    "git log --format '%G?'",
    "git stash list --format=%GG",
    "git rev-list --format=%GG HEAD",
    "git for-each-ref '--format=%(signature)'",
    "git for-each-ref --format '%(*signature:key)'",
    "git for-each-ref --sort signature",
    "git branch --sort=-signature",
    "git tag --list '--format=%(signature)'",
    "xxd -r a.ts x",
    "less a.ts",
    "ps aux",
    "node -e 1",
    "npm ls",
    "bash -c ls",
    "sh a.ts",
    "source a.ts",
    "hash -p ./x ls; ls",
    "enable -f ./x.so ls; ls",
    "trap 'touch x' EXIT; ls",
    "set -o noclobber; ls",
    "exec ls",
    "sudo ls",
    "curl http://localhost",
    "cat < /dev/tcp/localhost/1",
    "echo x > /dev/tcp/localhost/1",
    "ls > >(sh)",
  ])("is not: %s", (command) => {
    expect(reads(command, directory)).toBe(false)
  })
})

describe("git in a repository", () => {
  const settings = [
    "[core]\n\tfsmonitor = ./x",
    "[core] fsmonitor = ./x",
    "[CORE]\n\tFSMonitor = ./x",
    "[core]\n\tpager = ./x",
    "[diff]\n\texternal = ./x",
    '[diff "x"]\n\ttextconv = ./x',
    '[filter "x"]\n\tclean = ./x',
    "[include]\n\tpath = ../x",
    '[includeIf "gitdir:/"]\n\tpath = ../x',
    '[remote "origin"]\n\tpromisor = true',
    "[gpg]\n\tprogram = ./x",
    "[core]\n\tworktree = ../..",
    "[core]\n\teditor = a\\\n\tfsmonitor = ./x",
    "\ufeff[core]\n\tfsmonitor = ./x",
  ]

  it.each(settings)("whose settings may run a program is asked for: %j", async (setting) => {
    const directory = await repository()
    await writeFile(join(directory, ".git/config"), setting)
    expect(reads("git status", directory)).toBe(false)
    expect(reads("cd sub && git status", directory)).toBe(false)
    expect(reads("ls", directory)).toBe(true)
  })

  it.each(["branch", "tag"])("that sorts a %s by signatures is asked for", async (kind) => {
    const directory = await repository()
    git(directory, "config", `${kind}.sort`, "refname")
    expect(reads(`git ${kind}`, directory)).toBe(true)
    git(directory, "config", `${kind}.sort`, "-signature")
    expect(reads(`git ${kind}`, directory)).toBe(false)
  })

  it("runs no hook unasked", async () => {
    const directory = await repository()
    const hook = join(directory, ".git/hooks/post-index-change")
    await mkdir(join(directory, ".git/hooks"), { recursive: true })
    await writeFile(hook, "#!/bin/sh\ntouch ran\n")
    await chmod(hook, 0o755)
    expect(reads("git status", directory)).toBe(false)
    await rm(hook)
    expect(reads("git status", directory)).toBe(true)
    await mkdir(join(directory, ".husky"))
    git(directory, "config", "core.hooksPath", ".husky")
    expect(reads("git status", directory)).toBe(true)
    await writeFile(join(directory, ".husky/post-index-change"), "")
    expect(reads("git status", directory)).toBe(false)
  })

  it.each(["cd bare && git log", "git -C bare log", "cd link && git log"])(
    "that lies in the project's files is asked for: %s",
    async (command) => {
      const directory = await repository()
      git(directory, "clone", "-q", "--bare", directory, "bare")
      await symlink("bare", join(directory, "link"))
      expect(reads(command, directory)).toBe(false)
      expect(reads("git log", directory)).toBe(true)
      expect(reads("git log", join(directory, "bare"))).toBe(false)
    },
  )

  it("looks into repositories within it", async () => {
    const directory = await repository()
    await cp(await repository(), join(directory, "inner"), { recursive: true })
    git(directory, "add", "inner")
    expect(reads("git status", directory)).toBe(true)
    git(join(directory, "inner"), "config", "core.fsmonitor", "./x")
    expect(reads("git status", directory)).toBe(false)
    await rm(join(directory, "inner/.git"), { recursive: true })
    expect(reads("git status", directory)).toBe(true)
  })

  it("knows work trees, and settings of theirs", async () => {
    const directory = await repository()
    git(directory, "worktree", "add", "-q", "tree", "-b", "other")
    const tree = join(directory, "tree")
    expect(reads("git status", tree)).toBe(true)
    await writeFile(join(directory, ".git/worktrees/tree/config.worktree"), "[core]\n\tfsmonitor = ./x\n")
    expect(reads("git status", tree)).toBe(false)
    expect(reads("git status", directory)).toBe(true)
  })

  it.each(["4", "split"])("does not trust an index of another form: %s", async (form) => {
    const directory = await repository()
    if (form === "4") git(directory, "update-index", "--index-version", "4")
    else git(directory, "update-index", "--split-index")
    expect(reads("git status", directory)).toBe(false)
  })
})
