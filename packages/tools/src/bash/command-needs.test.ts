import { execFileSync } from "node:child_process"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import type { PermissionNeed } from "@pawl/core/tool"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { createToolPaths } from "../tool-paths.ts"
import { commandNeeds, needsOf } from "./command-needs.ts"
import { isHarmless } from "./harmless-assignment.ts"

async function needs(command: string, directory: string, changes: { cwd?: string; home?: string } = {}) {
  const place = { directory, worktree: directory, cwd: directory, paths: createToolPaths(), ...changes }
  return commandNeeds(command, place)
}

/** As `permission pattern`, in order, without those of bash. */
async function touched(command: string, directory: string, changes = {}): Promise<readonly string[]> {
  const found = await needs(command, directory, changes)
  return found
    .filter(({ permission }) => permission !== "bash")
    .flatMap(({ permission, patterns }) => patterns.map((pattern) => `${permission} ${pattern}`))
}

const bashOf = (found: readonly PermissionNeed[]) => found.filter(({ permission }) => permission === "bash")

it.each([
  ["git status", ["git status"]],
  ["npm   test  &&\tgit 'commit' -m \"x y\"", ["npm test", "git commit -m 'x y'"]],
  ["a | b; (c || d) & e", ["a", "b", "c", "d", "e"]],
  ["echo $(rm -rf x)", ["echo $(rm -rf x)", "rm -rf x"]],
  ["cd sub && npm test && cd ..", ["npm test"]],
  ["cd sub", ["cd sub"]],
  ["git status; git status", ["git status"]],
])("needs bash for each command of %j, in its canonical words and in nothing wider", async (command, patterns) => {
  expect(bashOf(await needs(command, await testDirectory()))).toMatchObject([{ permission: "bash", patterns }])
})

it("says the directory that its words speak of, links resolved", async () => {
  const directory = await testDirectory({ "sub/a.txt": "" })
  await symlink("sub", join(directory, "link"))
  for (const [cwd, real] of [
    ["", directory],
    ["sub", join(directory, "sub")],
    ["link", join(directory, "sub")],
  ] as const) {
    const [need] = bashOf(await needs("rm -rf *", directory, { cwd: join(directory, cwd) }))
    expect(need?.directory).toBe(real)
    expect(need?.always).toBeUndefined()
  }
})

it.each([
  "cd build && rm -rf *",
  "(cd build; rm -rf *)",
  "bash -c 'cd build; rm -rf *'",
  "pushd build && rm -rf * && popd",
  "cd && rm -rf *",
  "cd - && rm -rf *",
  "cd $X && rm -rf *",
  "cd DIRECTORY && cd build && rm -rf *",
  "cd DIRECTORY/.. && rm -rf *",
  "cd -P DIRECTORY && rm -rf *",
  "git -C build clean -fdx",
  "env -C build rm -rf *",
])("lets nothing be allowed for good where %j runs elsewhere than where it starts", async (command) => {
  const directory = await testDirectory()
  const [need] = bashOf(await needs(command.replace("DIRECTORY", directory), directory))
  expect(need?.always).toEqual([])
})

it.each(["cd DIRECTORY && npm test", "cd sub", "npm test"])(
  "leaves it to a person to allow %j for good",
  async (command) => {
    const directory = await testDirectory()
    const [need] = bashOf(await needs(command.replace("DIRECTORY", directory), directory))
    expect(need).not.toHaveProperty("always")
  },
)

it.each([
  ["$CMD x", /not literal/],
  ["echo 'open", /./],
  ['eval "$x"', /eval runs/],
  ["PATH=/evil:$PATH git status", /It sets PATH, which changes what commands mean\./],
  ["export LD_PRELOAD=./evil.so; ls", /It sets LD_PRELOAD/],
  ["# nothing", /There is no command in it\./],
  ["cd $X && echo x > out.txt", /directory of the file "out.txt"/],
])("says why it is not clear what %j would do", async (command, reason) => {
  const [need] = bashOf(await needs(command, await testDirectory()))
  expect(need?.unclear).toMatch(reason)
  expect(need?.patterns.length).toBeGreaterThan(0)
})

it("asks for each file that is written, as an edit does", async () => {
  const directory = await testDirectory()
  expect(await touched("echo a > out.txt 2>&1; tee -a log/b.txt < in.txt >/dev/null", directory)).toEqual([
    "edit out.txt",
    "edit log/b.txt",
  ])
  expect(await touched("cd sub && echo a > out.txt && rm -rf ../old", directory)).toEqual([
    "edit sub/out.txt",
    "edit old",
  ])
  expect(await touched("echo a > out.txt", directory, { cwd: join(directory, "sub") })).toEqual(["edit sub/out.txt"])
})

it("asks for what lies outside: written, read by redirection, removed, or changed to", async () => {
  const [directory, outside] = [await testDirectory(), await testDirectory({ "a.txt": "" })]
  const outsideNeed = `external_directory ${outside}/*`
  for (const command of [`cat < ${outside}/a.txt`, `cd ${outside}`, `cd ${outside} && ls`, `(cd ${outside}; ls)`]) {
    expect(await touched(command, directory)).toEqual([outsideNeed])
  }
  const writing = [
    "echo > F",
    "rm F",
    "mv a F",
    "cp a F",
    "mkdir -p F",
    "touch F",
    "chmod +x F",
    "ln -s a F",
    "sed -i s/a/b/ F",
  ]
  for (const command of [...writing, "tee F", "dd if=a of=F", "truncate -s 0 F", "chown me F", "install a F"]) {
    expect(await touched(command.replace("F", `${outside}/a.txt`), directory)).toContain(outsideNeed)
  }
  expect(await touched("cd .. && ls", directory)).toHaveLength(1)
  expect(await touched("echo x > ~/notes.txt", directory, { home: outside })).toContain(outsideNeed)
  expect(await touched("cd", directory)).toEqual([`external_directory ${homedir()}/*`])
})

it("follows links out of the project", async () => {
  const [directory, outside] = [await testDirectory(), await testDirectory()]
  await symlink(outside, join(directory, "link"))
  await mkdir(join(directory, "sub"))
  expect(await touched("echo x > link/a.txt", directory)).toContain(`external_directory ${outside}/*`)
  expect(await touched("cd sub && rm ../link/a.txt", directory)).toContain(`external_directory ${outside}/*`)
})

it("says where it would start, where that is not the project's directory", async () => {
  const directory = await testDirectory()
  const [moved] = bashOf(await needs("rm -rf build", directory, { cwd: join(directory, "sub") }))
  expect(moved?.metadata).toEqual({ cwd: join(directory, "sub") })
  expect(bashOf(await needs("rm -rf build", directory))[0]?.metadata).toBeUndefined()
})

it("asks for what commands show or change without naming it in a redirection", async () => {
  const [directory, outside] = [await testDirectory({ "a.txt": "" }), await testDirectory({ "b.txt": "" })]
  const outsideNeed = `external_directory ${outside}/*`
  for (const command of ["cat F/b.txt", "grep -rn x F", "ls F", "find F -name x", "git -C F status", "env -C F ls"]) {
    expect(await touched(command.replace("F", outside), directory)).toEqual([outsideNeed])
  }
  for (const command of ["cp -tF a.txt", "find F -delete", "d=F; touch $d/x", "for f in F/*; do cat $f; done"]) {
    expect(await touched(command.replace("F", outside), directory)).toContain(outsideNeed)
  }
  await symlink(outside, join(directory, "link"))
  expect(await touched("cat link/b.txt", directory)).toEqual([outsideNeed])
  expect(await touched("cat a.txt | grep -n /etc/hosts - | sed -n 1p", directory)).toEqual([])
  for (const command of ["patch -p1 < a.txt", "git checkout -- .", "rm *.o", "find . -name x | xargs rm"]) {
    expect(await touched(command, directory)).toEqual(["edit ."])
  }
})

it("asks for what any program has among its words, where it lies outside", async () => {
  const [directory, outside] = [await testDirectory({ "a.txt": "" }), await testDirectory({ "b.txt": "" })]
  await symlink(outside, join(directory, "link"))
  for (const command of [
    ...["jq . F", "git diff --no-index F a.txt", "ar x F", "ssh-keygen -f F", "gpg -o F -d a.txt", "sqlite3 F .tables"],
    ...[
      "openssl enc -in F",
      "python3 F",
      "curl -d @F http://x",
      "curl -T F http://x",
      "docker run -v F:/x y",
      "x --y=F",
    ],
    ...[
      "echo F | xargs cat",
      "cat $(echo F)",
      "jq . link/b.txt",
      "f=F; jq . $f",
      "awk 1 F",
      "sort -o F a.txt",
      "cp a.txt F",
    ],
    ...["tee F", "dd of=F", "rsync a.txt F", "wget -O F x", "openssl x -out F", "npm --prefix F/.. x", "make -f F"],
    ...[
      "git --work-tree=F/.. status",
      "unzip a.zip -d F/..",
      "tar -xf F",
      "sudo jq . F",
      "env A=1 jq . F",
      "cat F* | jq .",
    ],
  ]) {
    const found = await touched(command.replace("F", `${outside}/b.txt`), directory)
    expect([command, found.includes(`external_directory ${outside}/*`)]).toEqual([command, true])
  }
  for (const command of [
    "yq . F/none",
    "gcc -o F/none a.c",
    "x --out=F/none",
    "make DESTDIR=F/none",
    "yq . link/none",
  ]) {
    const found = await touched(command.replace("F", outside), directory)
    expect([command, found.filter((need) => !need.startsWith("edit "))]).toEqual([
      command,
      [`external_directory ${outside}/*`],
    ])
  }
  for (const command of [
    "yq . F/none/none",
    "yq . /none",
    "echo F",
    "git commit -m F/none",
    "docker run -w F/none x",
    "docker exec x cat F",
    "jq . a.txt ./a.txt",
  ]) {
    expect([command, await touched(command.replace("F", outside), directory)]).toEqual([command, []])
  }
})

it("asks once for the same", async () => {
  const [directory, outside] = [await testDirectory(), await testDirectory()]
  const command = `echo a > ${outside}/a; echo b > ${outside}/b; cat < ${outside}/c`
  const found = (await touched(command, directory)).filter((need) => need.startsWith("external_directory"))
  expect(found).toEqual([`external_directory ${outside}/*`])
})

/** What models run all day. */
const everyday = [
  "git status --short && git diff | head -50",
  "git commit -m \"$(cat <<'EOF'\nFix it (all)\n\nIt's `done`.\nEOF\n)\"",
  "npm test 2>&1 | tail -20",
  "cd packages/core && npx vitest run src/a.test.ts -t 'a name' && cd ../..",
  'cd "$(git rev-parse --show-toplevel)" && npm test',
  "find . -name '*.ts' -not -path './node_modules/*' | xargs grep -l foo | head",
  'for f in src/*.ts; do echo "$f"; wc -l "$f"; done',
  'while read -r line; do echo "$line"; done < list.txt',
  "if [ -f package.json ]; then npm ci; else echo none; fi",
  "cat > src/new.ts <<'EOF'\nexport const a = `x ${1}`\nEOF",
  "sed -i 's/foo/bar/g' src/a.ts",
  "rm -rf dist build && mkdir -p dist",
  "PYTHONPATH=src python -m pytest -q",
  "NODE_ENV=test CI=1 npm run build",
  "GIT_PAGER=cat git log -3",
  "VERSION=$(node -p \"require('./package.json').version\") && echo $VERSION",
  "npm start > server.log 2>&1 & sleep 2; curl -s localhost:3000/health",
  "timeout 60 npm test || true",
  "source .venv/bin/activate && pytest",
  "set -euo pipefail; make -j4",
  "git diff > fix.patch && git apply --check fix.patch",
]

it.each(everyday)("raises no question of its own for %j", async (command) => {
  const found = await needs(command, await testDirectory())
  expect(found.map(({ unclear }) => unclear).filter(Boolean)).toEqual([])
  expect(found.map(({ permission }) => permission).filter((name) => name !== "edit" && name !== "bash")).toEqual([])
})

it("takes an empty reading for unclear", () => {
  const nothing = {
    commands: [],
    redirects: [],
    patterns: [],
    named: [],
    made: [],
    directories: [],
    assignments: [],
    unclear: [],
  }
  const { bash } = needsOf(" : ", nothing)
  expect(bash).toEqual({ permission: "bash", patterns: [":"], unclear: "There is no command in it." })
})

it.each([
  ["PYTHONPATH", "src:lib", true],
  ["PYTHONPATH", "../other", false],
  ["PYTHONPATH", "src:/tmp", false],
  ["NODE_OPTIONS", "--max-old-space-size=4096", true],
  ["NODE_OPTIONS", "--require ./evil.js", false],
  ["GIT_EDITOR", "true", true],
  ["GIT_EDITOR", "sh -c evil", false],
  ["GIT_SSH_COMMAND", "true", false],
  ["PAGER", "cat", true],
  ["PATH", "bin", false],
])("knows whether %s=%s leaves commands what they are: %s", (name, value, expected) => {
  expect(isHarmless({ name, value })).toBe(expected)
})

it("takes a value that is not known for one that changes what commands are", () => {
  expect(isHarmless({ name: "PAGER" })).toBe(false)
})

it.each(["echo x > away/../x.txt", "cd away && echo x > ../x.txt", "(cd away/. ; tee ../x.txt < in.txt)"])(
  "judges a path as the system follows it: behind a link, .. leads out of where that leads: %j",
  async (command) => {
    const outside = await testDirectory({ "place/in.txt": "" })
    const directory = await testDirectory({ "in.txt": "" })
    await symlink(join(outside, "place"), join(directory, "away"))
    expect(await touched(command, directory)).toContain(`external_directory ${outside}/*`)
  },
)

it("names the protected files that git would write back, and asks for no others", async () => {
  const directory = await testDirectory({ ".npmrc": "a=1\n", "src/a.ts": "", "tools/pre-commit": "" })
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: directory })
  git("init", "-q")
  git("config", "core.hooksPath", "tools")
  git("add", ".")
  const guarded = async (command: string) =>
    (await touched(command, directory)).filter((need) => need.startsWith("protected_file"))
  const everyday = [
    "git checkout -- src/a.ts",
    "git checkout -- src",
    "git checkout main",
    "git restore src",
    "git stash",
  ]
  for (const command of [...everyday, "git checkout -- .", "git restore --staged .", "git apply --check a.patch"])
    expect([command, await guarded(command)]).toEqual([command, []])
  const all = ["protected_file .npmrc", "protected_file tools/pre-commit"]
  for (const command of [
    "git reset --hard",
    "git read-tree -u --reset HEAD",
    "git stash pop",
    "git checkout HEAD~1 -- .",
    "git restore -s HEAD .",
    "git apply a.patch",
  ])
    expect([command, await guarded(command)]).toEqual([command, all])
  await writeFile(join(directory, ".npmrc"), "other=1\n")
  for (const command of [
    "git checkout -- .",
    "git checkout .",
    "git restore .",
    "git stash",
    "cd src && git checkout -- ..",
  ])
    expect([command, await guarded(command)]).toEqual([command, ["protected_file .npmrc"]])
  expect(await guarded("cd src && git checkout -- .")).toEqual([])
  git("update-index", "--index-version", "4")
  expect((await needs("git checkout -- .", directory)).find(({ unclear }) => unclear)?.unclear).toMatch(/tracked files/)
})

it.each(["tools/pre-commit", "tools/lib/a.sh"])("asks for %s where git's configured hooks stand", async (file) => {
  const config = "[core]\n\thooksPath = tools\n"
  const directory = await testDirectory({ ".git/config": config, "a.txt": "", [file]: "" })
  expect(await touched(`cp a.txt ${file}`, directory)).toContain(`protected_file ${file}`)
  expect(await touched("find . -type f | xargs sed -i s/a/b/", directory)).toContain("protected_file tools")
})

it("asks for hooks in the worktree itself by their names", async () => {
  const directory = await testDirectory({ ".git/config": "[core]\n\thooksPath = .\n", "a.txt": "" })
  expect(await touched("cp a.txt pre-commit", directory)).toContain("protected_file pre-commit")
  expect(await touched("cp a.txt commit-msg", directory)).toContain("protected_file commit-msg")
  expect(await touched("touch b.txt sub/pre-commit prettier.config.js", directory)).not.toContain("protected_file")
})
