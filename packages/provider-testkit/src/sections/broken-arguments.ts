import { call, reply } from "@pawl/model-server"
import { expect } from "vitest"
import { callsOf } from "../events.ts"
import { section } from "../section.ts"

export const brokenArguments = section(
  "broken arguments",
  {
    "are handed on as the model wrote them": async ({ start }) => {
      const { ask } = await start([reply(call("read", '{"path": "a'))])
      expect(callsOf(await ask()).map(({ input }) => input)).toEqual(['{"path": "a'])
    },
    "of one call leave the other as it is": async ({ start }) => {
      const { ask } = await start([reply(call("read", "nonsense"), call("read", { path: "b" }))])
      expect(callsOf(await ask()).map(({ input }) => input)).toEqual(["nonsense", '{"path":"b"}'])
    },
  },
  { needs: "arguments as text" },
)
