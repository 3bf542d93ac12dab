// A process that asks a protected server so many times, when it is told to, and says which status came.
import { once } from "node:events"
import { createAuthorizer } from "../../src/auth/authorizer.ts"

interface Orders {
  readonly url: string
  readonly dataDirectory: string
  readonly times: number
  /** Milliseconds by which its clock is ahead. */
  readonly ahead: number
}

const { url, dataDirectory, times, ahead } = JSON.parse(process.argv[2] ?? "") as Orders
const clock = { now: () => Date.now() + ahead, elapsed: () => performance.now() }
const authorizer = createAuthorizer({ dataDirectory, clock })
const asking = authorizer.fetchFor({ name: "box", url, oauth: undefined }, fetch)
console.log("ready")
await once(process.stdin, "data")
process.stdin.destroy()
const statuses: number[] = []
for (let time = 0; time < times; time++) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
  const response = await asking(url, { method: "POST", body })
  await response.body?.cancel()
  statuses.push(response.status)
}
// It ends by itself, though its next renewal is planned.
console.log(statuses.join(" "))
