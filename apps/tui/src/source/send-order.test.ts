import { expect, it } from "vitest"
import { createSendOrder } from "./send-order.ts"

it("sends in the order of the calls, does not wait for the end of what was sent, and goes on after a failure", async () => {
  const order = createSendOrder()
  const sent: string[] = []
  const slow = Promise.withResolvers<string>()
  const never = new Promise<void>(() => undefined)
  const send = (result: Promise<void>) => async (text: string) => {
    sent.push(text)
    await result
  }

  void order.next(slow.promise, send(never))
  const failed = order.next(Promise.reject<string>(new Error("no such command")), send(never))
  const last = order.next(Promise.resolve("third"), send(Promise.resolve()))
  await expect(failed).rejects.toThrow("no such command")
  expect(sent).toEqual([])
  slow.resolve("first")
  await last

  expect(sent).toEqual(["first", "third"])
})
