import { constants, fstatSync, openSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { openPipe } from "./pipe.ts"

it("leaves neither end open when one cannot be opened", async () => {
  const directory = await testDirectory({ "in place of a pipe": "" })
  const opened: number[] = []
  const open: typeof openSync = (path, flags) => {
    if (flags === constants.O_WRONLY) throw new Error("too many open files")
    const end = openSync(path, flags)
    opened.push(end)
    return end
  }
  expect(() => openPipe(join(directory, "in place of a pipe"), open)).toThrow("too many open files")
  expect(opened).toHaveLength(1)
  expect(() => fstatSync(opened[0] ?? 0)).toThrow("EBADF")
})
