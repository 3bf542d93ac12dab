import { sessionID } from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { SimulatedDisk } from "../test/simulated-disk.ts"
import { createSessionFiles } from "./session-files.ts"

const none = () => undefined

function disk(): SimulatedDisk {
  const fs = new SimulatedDisk()
  for (const directory of ["session", "session/a", "session/b"]) fs.makeDirectory(directory)
  return fs
}

it("keeps the order while files come, go and move", () => {
  const fs = disk()
  const put = (project: string, number: number) =>
    fs.write(`session/${project}/${sessionID(number)}.json`, new Uint8Array())
  const files = createSessionFiles({ fs }, none)
  const steps = [
    () => [5, 3, 1].forEach((number) => put("a", number)),
    () => [4, 2].forEach((number) => put("b", number)),
    () => put("a", 2),
    () => fs.remove(`session/b/${sessionID(2)}.json`),
    () => fs.rename(`session/a/${sessionID(3)}.json`, `session/b/${sessionID(3)}.json`),
    () => [1, 2, 5].forEach((number) => fs.remove(`session/a/${sessionID(number)}.json`)),
    () => fs.removeDirectory("session/a"),
    () => put("b", 9),
  ]
  for (const step of steps) {
    step()
    expect(files.all()).toEqual(createSessionFiles({ fs }, none).all())
  }
  const left = [9, 4, 3].map((number) => sessionID(number)).sort()
  expect(files.all().map(({ id }) => id)).toEqual(left)
})

it("does not list a directory that is as it was", () => {
  const fs = disk()
  fs.removeDirectory("session/b")
  fs.write(`session/a/${sessionID(1)}.json`, new Uint8Array())
  const listed: string[] = []
  const counted = {
    status: (path: string) => fs.status(path),
    readDirectory(path: string) {
      listed.push(path)
      return fs.readDirectory(path)
    },
  }
  const files = createSessionFiles({ fs: Object.assign(Object.create(fs) as SimulatedDisk, counted) }, none)
  expect(files.all()).toHaveLength(1)
  listed.length = 0
  expect(files.all()).toHaveLength(1)
  expect(listed).toEqual(["session"])
})
