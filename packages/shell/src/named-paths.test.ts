import { expect, it } from "vitest"
import { readCommand } from "./reader.ts"

it.each([
  ["yq . /a ../b", ["/a", "../b"]],
  ["git diff --no-index /a b", ["/a"]],
  ["ar x /a/b.a", ["/a/b.a"]],
  ["ssh-keygen -f ~/k", ["~/k"]],
  ["curl -d @/a -F f=@../b -T/c http://host/d", ["/a", "../b", "/c"]],
  ["openssl enc -in /a; gpg -o/b -d c", ["/a", "/b"]],
  ["sqlite3 /a .tables", ["/a"]],
  ["python3 /a/b.py; node ../c.js", ["/a/b.py", "../c.js"]],
  ["git --work-tree=/a status", ["/a"]],
  ["docker run -v /a:/b -v ../c:/d x", ["/a", "/b", "../c", "/d"]],
  ["x --at=~/a,/b {/c,/d}", ["~/a", "/b", "/c", "/d"]],
  ["for f in /a; do yq . $f; done", ["/a"]],
  ['yq . /a/*.json "$HOME/b" "$PWD/../c"', ["/a", "~/b", "../c"]],
  ["cd a && yq . ../b; yq . -C c ../d", ["a/../b", "c/../d", "../d"]],
  ["make -C a ../b", ["a/../b"]],
  ["sudo yq . /a; xargs yq . /b", ["/a", "/b"]],
  ["yq . link/a", ["link/a"]],
  ["echo /a | xargs yq .; yq . $(echo /b) `printf %s /c`", ["/a", "/b", "/c"]],
])("tells the words of %s that may be paths", (command, named) => {
  expect(readCommand(command).named).toEqual(expect.arrayContaining(named))
})

it.each([
  "echo /a ../b",
  "test -f /a && [ -d /b ]",
  "grep /a b; sed -n /a/p b; awk /a/ b; find . -path /a",
  "docker exec x cat /a; ssh host cat /a; bash -c 'echo /a'",
  "tr / _ | x -d/ | x -F:/",
  "x > /dev/null /dev/stdin",
  "export PATH=/a:$PATH; env A=/a echo",
])("takes no word of %s for a path", (command) => {
  expect(readCommand(command).named).toEqual([])
})

it.each(["cat $(echo L2E= | base64 -d)", "cp `printf '%s%s' /a b` c", "cat list | xargs cat", "curl -s x | xargs rm"])(
  "does not know the names that %s makes up",
  (command) => {
    expect(readCommand(command).unclear).not.toEqual([])
  },
)

it.each(["find . | xargs cat", "git ls-files | grep x | xargs wc -l", "echo a | xargs touch", "ps | xargs kill"])(
  "knows where the names of %s come from",
  (command) => {
    expect(readCommand(command).unclear).toEqual([])
  },
)
