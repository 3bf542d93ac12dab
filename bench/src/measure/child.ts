import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"

/** A script in its own process, which uses the built packages like an installed pawl. */
export interface Child {
  /** Resolves with the next message. Rejects if the process ends without one. */
  receive<T>(): Promise<T>
  send(message: string): void
  close(): Promise<void>
}

export function openChild(script: URL, input?: object): Child {
  const child = fork(script, input ? [JSON.stringify(input)] : [], { execArgv: [] })
  return {
    async receive<T>() {
      return (await nextMessage(child, script)) as T
    },
    send: (message) => void child.send(message),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, "exit")
      if (child.connected) child.disconnect()
      await exit
    },
  }
}

/** Runs a script that sends its result as one message and ends. */
export async function runChild<T>(script: URL, input: object): Promise<T> {
  const child = openChild(script, input)
  try {
    return await child.receive<T>()
  } finally {
    await child.close()
  }
}

async function nextMessage(child: ChildProcess, script: URL): Promise<unknown> {
  const ended = new AbortController()
  const onExit = () => ended.abort()
  child.once("exit", onExit)
  try {
    const [message] = (await once(child, "message", { signal: ended.signal })) as [unknown]
    return message
  } catch (cause) {
    throw new Error(`${script.pathname} ended before it had a result; its own error stands above.`, { cause })
  } finally {
    child.off("exit", onExit)
  }
}
