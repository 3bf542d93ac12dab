import { chmod, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execFileSync } from "node:child_process"
import { memoryStorage } from "@pawl/storage-memory"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commitAll, environment, runShell, treeOf, writeFiles } from "../test/project.ts"
import { createFileHistory } from "./index.ts"

// What agents run. Nothing is named before: only comparing the files finds what a command changed. The truth is the tree itself.

const WRITES = [
  "echo new > new.txt",
  "echo more >> src/a.ts",
  "printf 'x\\n' | tee src/b.ts > /dev/null",
  "printf 'x\\n' | tee -a src/b.ts docs/guide.md > /dev/null",
  "cat > src/new.ts <<'EOF'\nexport const a = 1\nEOF",
  "cat src/a.ts src/b.ts > both.txt",
  ": > src/a.ts",
  "truncate -s 3 src/a.ts",
  "truncate -s 100 data.bin",
  "dd if=/dev/zero of=data.bin bs=16 count=2 conv=notrunc 2>/dev/null",
  "head -c 100 /dev/urandom > random.bin",
  "yes | head -n 1000 > long.txt",
  "date > stamp.txt",
  "base64 data.bin > data.b64",
  "sort -o words.txt words.txt",
  "sort -u words.txt -o sorted.txt",
  "uniq words.txt > once.txt; mv once.txt words.txt",
  "tr a-z A-Z < words.txt > upper.txt",
  "split -l 1 words.txt part-",
  "paste words.txt words.txt > pasted.txt",
]

const EDITS = [
  "sed -i s/alpha/ALPHA/ src/a.ts",
  "sed -i.bak s/alpha/ALPHA/ src/a.ts",
  "sed -i '/alpha/d' src/*.ts",
  "sed -i -e '1i // head' -e '$a // tail' src/a.ts src/b.ts",
  "perl -pi -e 's/beta/BETA/' src/b.ts",
  "perl -i.orig -ne 'print unless /beta/' src/b.ts",
  "python3 -c \"p='src/a.ts'; t=open(p).read(); open(p,'w').write(t.replace('alpha','z'))\"",
  "python3 - <<'EOF'\nimport pathlib\nfor p in pathlib.Path('src').rglob('*.ts'):\n    p.write_text(p.read_text()+'// seen\\n')\nEOF",
  "node -e \"const f=require('fs');f.writeFileSync('src/a.ts',f.readFileSync('src/a.ts','utf8')+'x')\"",
  "node -e \"require('fs').appendFileSync('docs/guide.md','more')\"",
  "awk '{print NR\": \"$0}' words.txt > n && mv n words.txt",
  "grep -v one words.txt > n; mv n words.txt",
  "grep -rl alpha src | xargs sed -i s/alpha/x/",
  "find . -name '*.ts' -not -path './.git/*' -exec sed -i s/alpha/y/ {} +",
  "find src -name '*.ts' -print0 | xargs -0 perl -pi -e 's/^/ /'",
  "ed -s src/a.ts <<'EOF' || printf 'x' > src/a.ts\n1d\nw\nq\nEOF",
  "ex -sc '%s/alpha/k/|x' src/a.ts 2>/dev/null || sed -i s/alpha/k/ src/a.ts",
  'for f in src/*.ts; do echo "// $f" >> "$f"; done',
  'while read -r l; do echo "$l!"; done < words.txt > w && cat w > words.txt && rm w',
  'x=src/a.ts; echo hi > "$x"',
  "(cd src && echo inner > a.ts)",
  "bash -c 'echo nested > src/b.ts'",
  "sh -c \"sh -c 'echo deeper > src/b.ts'\"",
  "eval 'echo evaluated > src/b.ts'",
  "printf '%s' \"$(cat words.txt | rev)\" > words.txt",
  "iconv -f utf8 -t utf16 words.txt > w16.txt",
  "unexpand docs/guide.md > g && mv g docs/guide.md",
  "fold -w 3 words.txt > folded && mv folded words.txt",
  "expand -t 2 src/a.ts > e; cp e src/a.ts; rm e",
  "nl words.txt > numbered.txt",
]

const MOVES = [
  "mv src/a.ts src/c.ts",
  "mv src lib",
  "mv src/a.ts src/b.ts docs/",
  "mv -f src/a.ts src/b.ts",
  "mv -n src/a.ts src/b.ts",
  "cp src/a.ts src/copy.ts",
  "cp -r src copied",
  "cp -a src/. mirror/ 2>/dev/null || (mkdir mirror && cp -a src/. mirror/)",
  "cp -p run.sh run2.sh",
  "cp --parents src/a.ts docs 2>/dev/null",
  "install -m 755 src/a.ts bin-a",
  "install -D -m 644 src/a.ts deep/er/a.ts",
  'rename() { mv "$1" "$2"; }; rename docs/guide.md docs/handbook.md',
  "mv words.txt Words.txt",
  "mv 'with space.txt' plain.txt",
  "mv ünïcode.txt ascii.txt",
  "ln -s src/a.ts shortcut",
  "ln -sfn docs link",
  "ln src/a.ts hard.ts",
  "ln -f src/a.ts src/b.ts",
  "rsync -a src/ synced/ 2>/dev/null || cp -r src synced",
  "cp /etc/hostname host.txt 2>/dev/null || echo h > host.txt",
  "mktemp ./temp.XXXXXX > /dev/null",
  "touch touched.txt",
  "touch src/empty.ts docs/empty.md",
]

const REMOVALS = [
  "rm src/a.ts",
  "rm -f src/*.ts",
  "rm -rf src",
  "rm -rf src docs data.bin words.txt",
  "rm -r docs && mkdir docs",
  "rm link",
  "unlink words.txt",
  "rm -- '-dash.txt'",
  "rm 'with space.txt' ünïcode.txt",
  "find . -name '*.ts' -delete",
  "find docs -type f -exec rm {} \\;",
  "rm -rf docs; echo file > docs",
  "rm words.txt && mkdir words.txt && echo x > words.txt/inner",
  "git rm -q src/a.ts",
  "git rm -rq --cached src",
  "git clean -fdq",
  "rm run.sh && ln -s words.txt run.sh",
  "shred -u words.txt 2>/dev/null || rm words.txt",
  "rmdir docs 2>/dev/null; rm -rf docs",
  "ls *.txt | grep -v dash | xargs -d '\\n' rm",
]

const MODES = [
  "chmod +x src/a.ts",
  "chmod 600 run.sh",
  "chmod -R go-rwx src",
  "chmod 444 words.txt",
  "chmod u=rwx,go= docs/guide.md",
  "chmod +x src/*.ts && sed -i s/alpha/q/ src/a.ts",
  "umask 077; echo private > private.txt",
  "umask 002; echo shared > shared.txt",
]

const DIRECTORIES = [
  "mkdir -p a/b/c && echo 1 > a/b/c/1.txt",
  "mkdir -p one two three && touch one/1 two/2 three/3",
  "mkdir a && cp -r src a/src && rm -rf src",
  "for i in 1 2 3 4 5; do mkdir -p gen/$i; echo $i > gen/$i/index.ts; done",
  "mkdir -p 'odd name/ü' && echo x > 'odd name/ü/f'",
  "mkdir out && cd out && for i in $(seq 30); do echo $i > $i.txt; done",
  "mkdir -p packages/x/src && printf '{}' > packages/x/package.json && echo 'export {}' > packages/x/src/index.ts",
]

const GIT = [
  "git add -A",
  "git commit -qam change --allow-empty",
  "sed -i s/alpha/c/ src/a.ts && git commit -qam edit",
  "git checkout -q other",
  "git switch -q other",
  "git checkout -q other -- src/a.ts",
  "git checkout -q -- src/a.ts words.txt",
  "git restore words.txt",
  "git restore --source other src",
  "git restore --staged --worktree words.txt",
  "git checkout -q -b fresh && echo f > fresh.txt && git add -A && git commit -qm fresh",
  "git stash -q",
  "git stash -q -u",
  "git stash -q && git stash pop -q",
  "git stash -q && git checkout -q other && git stash drop -q",
  "git reset -q --hard",
  "git reset -q --hard other",
  "git reset -q HEAD~0",
  "git merge -q other -m merged 2>/dev/null || git merge --abort",
  "git stash -q; git merge -q other -m merged",
  "git stash -q; git rebase -q other 2>/dev/null || git rebase --abort",
  "git stash -q; git cherry-pick other >/dev/null 2>&1 || git cherry-pick --abort",
  "git stash -q; git revert --no-edit HEAD >/dev/null",
  "git mv src/a.ts src/z.ts",
  "git mv src source",
  "git rm -q docs/guide.md && git commit -qm gone",
  "git diff other > other.patch; git apply -R other.patch 2>/dev/null; true",
  "git diff main other -- src | git apply 2>/dev/null; true",
  "git format-patch -q -1 other -o patches",
  "git stash -q; git format-patch -q -1 other --stdout | git am -q >/dev/null 2>&1 || git am --abort",
  "git archive -o all.tar HEAD",
  "git show other:src/a.ts > src/a.ts",
  "git worktree add -q ../side-$$ other 2>/dev/null; git worktree remove --force ../side-$$; echo w > w.txt",
  "git gc -q --prune=now; echo after > after.txt",
  "git update-index --assume-unchanged docs/guide.md; git update-index --no-assume-unchanged docs/guide.md; echo u > u.txt",
  "git config user.name Other; echo c > c.txt",
  "git init -q nested && echo n > nested/n.txt && git -C nested add -A && git -C nested commit -qm n",
  "git branch extra; git tag v1; echo t > t.txt",
]

const ARCHIVES = [
  "tar -cf all.tar src docs",
  "tar -czf - src | tar -xzf - -C docs",
  "tar -cf t.tar src && rm -rf src && tar -xf t.tar",
  "tar -xf old.tar",
  "tar -xf old.tar --strip-components=1",
  "gzip words.txt",
  "gzip -k docs/guide.md",
  "gzip words.txt && gunzip words.txt.gz && echo x >> words.txt",
  "patch -p1 < change.patch",
  "patch -p1 --no-backup-if-mismatch < change.patch && patch -R -p1 < change.patch && echo z > z",
  "python3 -m zipfile -c z.zip src && python3 -m zipfile -e z.zip unzipped",
  "cpio -o < /dev/null > empty.cpio 2>/dev/null || echo e > empty.cpio",
]

const BUILDS = [
  "mkdir -p dist && for f in src/*.ts; do sed 's/export //' $f > dist/$(basename $f .ts).js; done",
  "node -e \"const fs=require('fs');const p=JSON.parse(fs.readFileSync('package.json'));p.version='2.0.0';fs.writeFileSync('package.json',JSON.stringify(p,null,2)+'\\n')\"",
  "npm pkg set version=3.0.0 2>/dev/null || sed -i s/1.0.0/3.0.0/ package.json",
  "printf 'a:\\n\\techo built > built.txt\\n' > Makefile && make -s a 2>/dev/null || echo built > built.txt",
  "python3 -c \"import json;d=json.load(open('package.json'));d['x']=1;json.dump(d,open('package.json','w'))\"",
  "python3 -c \"import os;[os.rename(os.path.join('src',f),os.path.join('src','x'+f)) for f in os.listdir('src')]\"",
  "python3 -c \"import shutil;shutil.copytree('src','tree');shutil.rmtree('docs')\"",
  "node -e \"const fs=require('fs');fs.rmSync('docs',{recursive:true});fs.mkdirSync('docs');fs.writeFileSync('docs/new.md','n')\"",
  "node -e \"const fs=require('fs');fs.renameSync('words.txt','w.txt');fs.symlinkSync('w.txt','words.txt')\"",
  "echo src/generated > .gitignore && mkdir -p src/generated && echo late > later.txt",
  "printf '\\r\\n' >> docs/guide.md; sed -i 's/$/\\r/' words.txt",
  "true",
  "false; echo still > still.txt",
  "echo one > 1; echo two > 2 & wait",
  "(sleep 0.05; echo slow > slow.txt) & wait",
  "cat words.txt > /dev/null; grep -c one words.txt; ls -la",
  "exec 3> fd.txt; echo three >&3; exec 3>&-",
  "exec > redirected.txt; echo all",
  "echo x | tee a1 a2 a3 > /dev/null; cat a1 a2 a3 > a4; rm a1",
  "set -e; cd docs; cd ..; echo end > end.txt",
]

const PROGRAMS = [
  // What formatters, generators and package managers do to files.
  "printf '{\\n  \"a\": 1\\n}\\n' > tsconfig.json && node -e \"const fs=require('fs');fs.writeFileSync('tsconfig.json',JSON.stringify({...JSON.parse(fs.readFileSync('tsconfig.json')),b:2},null,2))\"",
  "node -e \"const fs=require('fs');for(const f of fs.readdirSync('src'))fs.writeFileSync('src/'+f,fs.readFileSync('src/'+f,'utf8').replace(/ = /g,'='))\"",
  "node -e \"const fs=require('fs');fs.writeFileSync('src/a.ts.tmp','whole');fs.renameSync('src/a.ts.tmp','src/a.ts')\"",
  "node -e \"const fs=require('fs');const h=fs.openSync('words.txt','r+');fs.writeSync(h,'ONE',0);fs.closeSync(h)\"",
  "node -e \"const fs=require('fs');fs.truncateSync('data.bin',2);fs.appendFileSync('data.bin',Buffer.from([9]))\"",
  "node -e \"const fs=require('fs');fs.cpSync('src','dist',{recursive:true});fs.rmSync('src/b.ts')\"",
  "node -e \"require('fs').copyFileSync('src/a.ts','src/b.ts')\"",
  "node -e \"const fs=require('fs');fs.utimesSync('words.txt',1,1);fs.writeFileSync('old.txt','x');fs.utimesSync('old.txt',1,1)\"",
  "node -e \"require('fs').mkdtempSync('./cache-');require('fs').writeFileSync('after.txt','x')\"",
  "node -e \"require('fs').writeFileSync('snow.txt','\u2603 \ud83d\ude00 e\u0301')\"",
  "python3 -c \"open('crlf.txt','w',newline='').write('a\\r\\nb\\r\\n')\"",
  "python3 -c \"b=open('data.bin','rb').read();open('data.bin','wb').write(bytes(reversed(b)))\"",
  "python3 -c \"import pathlib;[p.write_bytes(p.read_bytes()+b'\\n') for p in pathlib.Path('.').glob('*.txt')]\"",
  "python3 -c \"import os;os.replace('words.txt','link')\"",
  "python3 -c \"import os;os.truncate('words.txt',0)\"",
  "python3 -c \"import tempfile,os;f=tempfile.NamedTemporaryFile('w',dir='src',delete=False);f.write('t');f.close();os.replace(f.name,'src/a.ts')\"",
  "python3 -c \"import shutil;shutil.move('src','docs/src')\"",
  "python3 -c \"import zipfile;z=zipfile.ZipFile('x.zip','w');z.write('words.txt');z.close();zipfile.ZipFile('x.zip').extractall('out')\"",
  "perl -0777 -pi -e 's/export const/export let/g' src/a.ts src/b.ts",
  'perl -MFile::Copy -e \'move("src/a.ts","src/moved.ts")\'',
  "awk 'BEGIN { for (i = 0; i < 100; i++) print i > \"numbers.txt\" }'",
  'awk \'{ print > ("part-" NR ".txt") }\' words.txt',
  "csplit -s words.txt 2 && rm words.txt",
  "comm -23 words.txt with\\ space.txt > only.txt",
  "diff -u src/a.ts src/b.ts > ab.patch; patch -s src/a.ts ab.patch",
  "tee src/a.ts src/b.ts < words.txt > /dev/null",
  "cat src/a.ts | sponge src/a.ts 2>/dev/null || (cat src/a.ts; echo end) > x && mv x src/a.ts",
  "while sleep 0.01; do echo tick >> ticks.txt; [ $(wc -l < ticks.txt) -ge 3 ] && break; done",
  "yes n | rm -i words.txt 2>/dev/null; yes | rm -i docs/guide.md 2>/dev/null",
  "trap 'echo trapped > trapped.txt' EXIT; echo body > body.txt",
  "set -o noclobber; echo x > words.txt 2>/dev/null; echo y >| words.txt",
  "coproc cat > coproc.txt; echo through >&${COPROC[1]}; exec {COPROC[1]}>&-; wait",
  "mkfifo pipe; (cat pipe > from-pipe.txt &); echo piped > pipe; sleep 0.05; rm pipe",
  "cat <(echo left) <(echo right) > joined.txt",
  "echo a > a.txt; echo b > a.txt; echo c > a.txt; rm a.txt; echo d > a.txt",
  "cp words.txt w2; rm words.txt; cp w2 words.txt; rm w2",
  "printf 'x' > $'new\\nline.txt'",
  "printf 'x' > \"quote'\\\".txt\"; printf 'y' > '*.txt'",
]

const COMMANDS = { WRITES, EDITS, MOVES, REMOVALS, MODES, DIRECTORIES, GIT, ARCHIVES, BUILDS, PROGRAMS }

interface Place {
  readonly directory: string
  readonly history: ReturnType<typeof createFileHistory>
}

let template: { readonly git: string; readonly plain: string }
let place: Place

beforeAll(async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), "pawl-commands-")))
  const git = join(base, "git")
  await writeFiles(git, {
    "src/a.ts": "export const alpha = 1\nexport const x = 2\n",
    "src/b.ts": "export const beta = 1\n",
    "docs/guide.md": "# Guide\n\n\ttext\n",
    "words.txt": "one\ntwo\nthree\n",
    "package.json": '{\n  "name": "x",\n  "version": "1.0.0"\n}\n',
    "run.sh": "echo run\n",
    "data.bin": Buffer.from([0, 1, 2, 253, 254, 255]),
    "with space.txt": "space\n",
    "ünïcode.txt": "ü\n",
    "-dash.txt": "dash\n",
    ".gitignore": "*.log\nnode_modules/\n",
  })
  await chmod(join(git, "run.sh"), 0o755)
  await symlink("words.txt", join(git, "link"))
  commitAll(git)
  runShell(
    git,
    "git checkout -q -b other && echo other >> src/a.ts && echo o > o.txt && git add -A && git commit -qm other && git checkout -q main",
  )
  runShell(
    git,
    "git diff main other -- src > change.patch; tar -cf old.tar src docs; echo dirty >> words.txt; echo mine > untracked.txt",
  )
  const plain = join(base, "plain")
  execFileSync("cp", ["-a", git, plain])
  await rm(join(plain, ".git"), { recursive: true })
  template = { git, plain }
  place = { directory: join(base, "work"), history: createFileHistory({ directory: join(base, "undo"), environment }) }
})

afterAll(async () => {
  await place.history.close()
  await rm(join(template.git, ".."), { recursive: true, force: true })
})

async function expectUndone(kind: "git" | "plain", command: string): Promise<void> {
  const { directory, history } = place
  await rm(directory, { recursive: true, force: true })
  execFileSync("cp", ["-a", template[kind], directory])
  const before = await treeOf(directory)
  const { blobs } = memoryStorage()
  const workspace = { directory, worktree: directory }
  const call = {
    ...workspace,
    sessionID: "ses_1",
    key: command,
    targets: [],
    blobs,
    signal: new AbortController().signal,
  } as const
  const watch = await history.watch(call)
  try {
    runShell(directory, command)
  } catch {
    // The command failed, but may have changed files.
  }
  const { changes, uncovered } = await watch.end()
  const after = await treeOf(directory)
  expect(uncovered).toEqual([])
  const planned = await history.plan(changes, blobs)
  const undone = await history.apply(planned, blobs)
  expect(undone.filter(({ outcome }) => outcome === "conflict" || outcome === "uncovered")).toEqual([])
  expect(await treeOf(directory)).toEqual(before)
  const again = undone.map(({ path, had, left }) => ({ path, before: had, after: left }))
  await history.apply(await history.plan(again, blobs), blobs)
  expect(await treeOf(directory)).toEqual(after)
}

const { GIT: _, ...PLAIN } = COMMANDS

describe.each(Object.entries(COMMANDS))(
  "the effects of a command are undone and redone in a repository: %s",
  (_name, commands) => {
    it.each(commands)("%s", (command) => expectUndone("git", command))
  },
)

describe.each(Object.entries(PLAIN))(
  "the effects of a command are undone and redone without git: %s",
  (_name, commands) => {
    it.each(commands.filter((command) => !command.startsWith("git")))("%s", (command) => expectUndone("plain", command))
  },
)

it("a write that nothing undoes is noticed by these tests", async () => {
  const { directory } = place
  await writeFile(join(directory, "left.txt"), "left")
  expect([...(await treeOf(directory)).keys()]).toContain("left.txt")
})
