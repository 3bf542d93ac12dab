import { call, type Replies, reply, type Reply, text, unauthorized } from "@pawl/model-server"

/** Five replies with six calls, then the answer. */
export function wholeTurn(): Replies {
  const mark = (id: string, word: string) => call("mark", { text: word }, { id })
  return refusingMore([
    reply(text("Marking two."), mark("a1", "one"), mark("a2", "two")),
    reply(mark("a3", "three")),
    reply(text(["Once ", "more."]), mark("a4", "four")),
    reply(mark("a5", "five")),
    reply(text("And again."), mark("a6", "six")),
    reply(text("All marked.")),
  ])
}

/** Replies after a crash. */
export function goingOn(): Replies {
  return refusingMore([reply(text("Going on."), call("mark", { text: "seven" }, { id: "b1" })), reply(text("Done."))])
}

/** Answers further requests with an error that is not retried. */
function refusingMore(replies: readonly Reply[]): Replies {
  return (_request, index) => replies[index] ?? unauthorized()
}
