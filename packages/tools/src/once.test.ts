import { expect, it } from "vitest"
import { createOnce } from "./once.ts"

it("finds each thing out once, also while it is being found out, and when that fails", async () => {
  const once = createOnce()
  let count = 0
  const find = async () => ++count
  expect(await Promise.all([once("a", find), once("a", find), once("b", find)])).toEqual([1, 1, 2])
  const fail = async () => Promise.reject(new Error(`failure ${++count}`))
  await expect(once("c", fail)).rejects.toThrow("failure 3")
  await expect(once("c", fail)).rejects.toThrow("failure 3")
})
