import { call, reply, stall, text } from "@pawl/model-server"
import { expect } from "vitest"
import { abortAt } from "../abort-at.ts"
import { callsOf } from "../events.ts"
import { section } from "../section.ts"

export const streamedArguments = section(
  "streamed arguments",
  {
    "come in the pieces in which the model wrote them": async ({ start }) => {
      const { ask } = await start([reply(call("read", ['{"pa', 'th":"a"', "}"]))])
      const events = await ask()
      const pieces = events.flatMap((event) => (event.type === "tool-input-delta" ? [event.delta] : []))
      expect(pieces.filter((piece) => piece !== "")).toEqual(['{"pa', 'th":"a"', "}"])
      expect(callsOf(events).map(({ input }) => input)).toEqual(['{"path":"a"}'])
    },
    "end with the connection when they are aborted": async ({ start }) => {
      await abortAt(await start([reply(text("I look."), call("read", ['{"pa', 'th":']), stall())]), "tool-input-delta")
    },
  },
  { needs: "streamed arguments" },
)
