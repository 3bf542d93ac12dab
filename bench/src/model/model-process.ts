import { openChild } from "../measure/child.ts"
import type { Recording } from "./serve.ts"

export type { Recording }

/** A scripted model in its own process. */
export interface ModelProcess extends AsyncDisposable {
  readonly url: string
  /** Returns everything since the last call, when no answer is in progress. */
  take(): Promise<Recording>
}

export async function startModel(): Promise<ModelProcess> {
  const child = openChild(new URL("./serve.ts", import.meta.url))
  const url = await child.receive<string>()
  return {
    url,
    async take() {
      child.send("take")
      return child.receive<Recording>()
    },
    [Symbol.asyncDispose]: () => child.close(),
  }
}
