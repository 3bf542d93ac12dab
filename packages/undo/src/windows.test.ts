import { expect, it } from "vitest"
import { testDirectory } from "../test/project.ts"
import { createWindows } from "./windows.ts"

it("a call shares a worktree with the calls that were open meanwhile, and with none that ended before", async () => {
  const windows = createWindows(await testDirectory())
  const endOther = await windows.open("ses_other", "/project", 1)
  const endFirst = await windows.open("ses_own", "/project", 2)
  expect((await endFirst(3)).isShared).toBe(true)
  await endOther(4)

  const endSecond = await windows.open("ses_own", "/project", 5)
  expect((await endSecond(6)).isShared).toBe(false)

  const endThird = await windows.open("ses_own", "/project", 3)
  expect((await endThird(7)).isShared).toBe(true)
})
