import type { ModelEvent } from "@pawl/core/provider"
import { expect } from "vitest"
import { sampleRequest } from "./samples.ts"
import type { ModelUnderTest } from "./section.ts"

/** Reads until the event and aborts there, or, without one, when the request is in. */
export async function abortAt({ model, server }: ModelUnderTest, last?: ModelEvent["type"]): Promise<void> {
  const controller = new AbortController()
  if (last === undefined)
    void server.received(1).then(
      () => controller.abort(),
      () => {},
    )
  const reading = async () => {
    for await (const { type } of model.stream(sampleRequest(), controller.signal)) if (type === last) controller.abort()
  }
  await expect(reading()).rejects.toMatchObject({ name: "AbortError" })
  await server.idle()
  expect(server.requests.map(({ aborted }) => aborted)).toEqual([true])
}
