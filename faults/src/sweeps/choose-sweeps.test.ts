import { expect, it } from "vitest"
import { file } from "../subjects/file.ts"
import { allSweeps } from "./all.ts"
import { chooseSweeps } from "./choose-sweeps.ts"

const sweeps = allSweeps([file], undefined)

it("chooses by a word of the name, or all", () => {
  expect(chooseSweeps(sweeps, "random").map(({ name }) => name)).toEqual(["killed at a random moment"])
  expect(chooseSweeps(sweeps, undefined)).toEqual(sweeps)
})

it("refuses a word that no name has, and to sweep nothing", () => {
  expect(() => chooseSweeps(sweeps, "kills")).toThrow(
    'No sweep has "kills" in its name. There are: killed at a system call; killed at a random moment; power cut; ' +
      "power cut, and again while it recovers; a system call fails; the disk is full; many writers; workers killed and stopped.",
  )
  expect(() => chooseSweeps([], undefined)).toThrow("None of the storages that were asked for can be tested here.")
})

it("has a negative control for every sweep", () => {
  expect(sweeps.filter(({ controls }) => controls.length === 0)).toEqual([])
})
