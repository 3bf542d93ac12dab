import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, it, onTestFinished } from "vitest"
import { createProcessTable, readRowsSync, systemSource } from "./process-table.ts"
import { parsePs, PS_OPTIONS } from "./ps-rows.ts"

const row = { session: 0, marks: [] }

it("reads what the ps of Debian prints", () => {
  const output = [
    "      1       0       0     0 Ss   Mon Nov 23 22:23:33 2026 /sbin/init",
    "  19979       2       0     0 I    Mon Nov  2 02:08:20 2026 [kworker/u8:9-iou_exit]",
    "  20101   20100   20101  1000 S+   Tue Nov 24 07:00:01 2026 sleep 1000 PATH=/bin PAWL_CALL=a.1:b HOME=/home/ada",
    "  20102   20101   20101  1000 Z+   Tue Nov 24 07:00:01 2026 [sleep] <defunct>",
    "",
  ].join("\n")
  expect(parsePs(output)).toEqual([
    { ...row, id: 1, parent: 0, group: 0, user: 0, start: "Mon Nov 23 22:23:33 2026" },
    { ...row, id: 19979, parent: 2, group: 0, user: 0, start: "Mon Nov  2 02:08:20 2026" },
    {
      ...row,
      id: 20101,
      parent: 20100,
      group: 20101,
      user: 1000,
      start: "Tue Nov 24 07:00:01 2026",
      marks: ["a.1", "b"],
    },
  ])
})

it("reads the form in which the ps of macOS and of the BSDs prints", () => {
  const output = [
    "    1     0     1     0 Ss   Sat Jan  3 09:15:02 2026     /sbin/launchd",
    "  502     1   502   501 S    Sat Jan  3 09:15:40 2026     /bin/zsh -l",
    "  503   502   503    -2 R+   Sat Jan 13 10:00:00 2026     node a.js TERM=dumb PAWL_CALL=x",
    "  504   503   503 4294967294 U<s  Sat Jan 13 10:00:00 2026     ",
    "  505     1   505   501 S    Sat Jan 13 10:00:00 2026",
  ].join("\n")
  expect(parsePs(output).map(({ id, user, marks }) => [id, user, marks])).toEqual([
    [1, 0, []],
    [502, 501, []],
    [503, -2, ["x"]],
    [504, 4294967294, []],
    [505, 501, []],
  ])
})

it.each<[string, string, readonly string[]]>([
  ["of the environment, not of an argument", "env PAWL_CALL=first PAWL_CALL=second A=b", ["second"]],
  ["not of a name that only ends like it", "sh MY_PAWL_CALL=no XPAWL_CALL=no", []],
  ["none of an empty value", "sh PAWL_CALL= A=b", []],
])("takes marks %s", (_what, command, marks) => {
  expect(parsePs(` 7 1 7 0 S Mon Nov 23 22:23:33 2026 ${command}`)[0]?.marks).toEqual(marks)
})

it.each(["", "\n\n", "PID PPID", "x 1 1 0 S Mon Nov 23 22:23:33 2026 sh", "1 1 1 0 S 22:23:33 sh", "é\0".repeat(1000)])(
  "ignores lines of another form: %j",
  (output) => {
    expect(parsePs(output)).toEqual([])
  },
)

it("knows how each system is asked", () => {
  const platforms = ["linux", "darwin", "freebsd", "openbsd", "netbsd", "win32", "sunos"] as const
  expect(platforms.map((platform) => systemSource(platform))).toEqual([
    "proc",
    { ps: "-axwwE" },
    ...["freebsd", "openbsd", "netbsd"].map(() => ({ ps: "-axwwe" })),
    undefined,
    undefined,
  ])
})

it.runIf(process.platform !== "win32")("lists the processes of this machine with its own ps", async () => {
  const token = crypto.randomUUID()
  const env = { PATH: process.env["PATH"], A: "ü\nb c", PAWL_CALL: `outer:${token}` }
  const child = spawn("sh", ["-c", "echo up; read -r _; :", "PAWL_CALL=argument"], { env, detached: true })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child.stdout, "data")
  const source = { ps: PS_OPTIONS[process.platform] ?? "" }
  const expected = expect.objectContaining({
    ...{ id: child.pid, parent: process.pid, group: child.pid, user: process.geteuid?.(), marks: ["outer", token] },
  })
  expect(await createProcessTable(source).read()).toContainEqual(expected)
  expect(readRowsSync(source)).toContainEqual(expected)
})

it("gives nothing where ps does not know its options", async () => {
  expect(await createProcessTable({ ps: "--no-such-option" }).read()).toBeUndefined()
  expect(readRowsSync({ ps: "--no-such-option" })).toEqual([])
})
