import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, it, onTestFinished } from "vitest"
import { TURN_MS } from "./turn.ts"
import { createWriteQueue } from "./write-queue.ts"

/** A file of words. Keeps those of work that returned. `commits` has the words of each transaction. */
function createWords({ isFull = () => false }: { readonly isFull?: (added: readonly string[]) => boolean } = {}) {
  const commits: string[][] = []
  let open: string[] = []
  const queue = createWriteQueue(async (work) => {
    open = []
    const value = work()
    if (isFull(open)) throw new Error("The disk is full.")
    commits.push(open)
    return value
  })
  const add = (word: string) =>
    queue.add(() => {
      open.push(word)
      return word.toUpperCase()
    })
  return { queue, add, commits }
}

it("commits the first work at once, and what comes meanwhile together", async () => {
  const { add, commits } = createWords()

  const values = await Promise.all([add("a"), add("b"), nextTurn().then(() => add("c"))])

  expect(values).toEqual(["A", "B", "C"])
  expect(commits[0]).toEqual(["a", "b"])
  const first = add("d")
  await first
  const others = Array.from({ length: 100 }, (_, at) => add(String(at)))
  expect(await Promise.all(others)).toHaveLength(100)
  expect(commits.slice(2)).toEqual([["d"], Array.from({ length: 100 }, (_, at) => String(at))])
})

it("runs work that failed again without the others, whose changes are kept in order", async () => {
  const { queue, add, commits } = createWords()
  const first = add("a")
  const failing = queue.add(() => {
    throw new Error("no such session")
  })

  const ended = await Promise.allSettled([first, failing, add("b")])

  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  await expect(failing).rejects.toThrow("no such session")
  expect(commits).toEqual([["a"], ["b"]])
})

it("lets other code run between work that runs one by one", async () => {
  const { queue, add } = createWords()
  let turns = 0
  let next: NodeJS.Immediate
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  next = setImmediate(count)
  onTestFinished(() => clearImmediate(next))
  const [first, second] = [add("a").then(() => turns), add("b").then(() => turns)]
  const failing = queue.add(() => {
    throw new Error("no such session")
  })

  await expect(failing).rejects.toThrow("no such session")

  expect(await second).toBeGreaterThan(await first)
})

it("reports no work as done if its transaction could not be committed", async () => {
  const { add, commits } = createWords({ isFull: (added) => added.includes("b") })

  const ended = await Promise.allSettled([add("a"), add("b"), add("c")])

  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
  expect(commits).toEqual([])
  expect(await add("d")).toBe("D")
})

it("does not hold a transaction for longer than a turn", async () => {
  const { queue, commits } = createWords()
  const slow = () =>
    queue.add(() => {
      const end = performance.now() + TURN_MS
      while (performance.now() < end);
    })

  await Promise.all([slow(), slow(), slow()])

  expect(commits).toHaveLength(3)
})

it("runs a job alone, after earlier work and before later work", async () => {
  const { queue, add, commits } = createWords()
  const seen: number[] = []

  const ended = await Promise.all([
    add("a"),
    queue.addAlone(async () => {
      await nextTurn()
      seen.push(commits.length)
    }),
    add("b"),
  ])

  expect(ended).toEqual(["A", undefined, "B"])
  expect(seen).toEqual([1])
  expect(commits).toEqual([["a"], ["b"]])
})

it("has settled when all that was queued has ended, also what was queued by then", async () => {
  const { queue, add, commits } = createWords()
  void add("a").then(() => add("b"))

  await queue.settled()

  expect(commits).toEqual([["a"], ["b"]])
})
