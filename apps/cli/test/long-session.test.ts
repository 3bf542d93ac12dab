import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { MessageID, PartID, SessionID, Write } from "@pawl/core/storage"
import { modelServer, reply, text } from "@pawl/model-server"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { expect, it } from "vitest"
import { assistantMessage, doneCall, sessionOf, textPart, userMessage } from "./parts.ts"
import { jsonLines, type Workplace, workplace } from "./workplace.ts"

const MESSAGES = 20_000
/** Behind the last summary. */
const TAIL = 100
const MOST_MEBIBYTES = 200
const BATCH = 500

const sessionID: SessionID = "ses_LONG"
const messageID = (number: number): MessageID => `msg_${String(number).padStart(6, "0")}`
const partID = (number: number): PartID => `prt_${String(number).padStart(6, "0")}`

/** Makes a process write the most memory that it had resident, in KiB, to a file. */
const HOOK = new URL("../../../bench/src/measure/report-peak-memory.mjs", import.meta.url)

function turnOf(number: number): Write[] {
  const id = messageID(number)
  const { info, parts } =
    number % 10 === 1
      ? userMessage(textPart(`Question ${number}`))
      : assistantMessage(
          textPart(`Answer ${number} ${"word ".repeat(40)}`),
          doneCall("bash", { command: "make" }, { output: `line ${number}\n`.repeat(100) }),
        )
  return [
    { type: "message.put", message: { ...info, id, sessionID } },
    ...parts.map((part, index): Write => {
      return { type: "part.put", part: { ...part, id: partID(2 * number + index), sessionID, messageID: id } }
    }),
  ]
}

async function fill({ data, project }: Workplace): Promise<void> {
  const storage = await sqliteStorage({ path: join(data, "pawl.db"), durability: "async" })
  const session = sessionOf({ id: sessionID, directory: project, boundary: messageID(MESSAGES - TAIL + 1) })
  await storage.commit(sessionID, [{ type: "session.put", session }])
  for (let first = 1; first <= MESSAGES; first += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, index) => first + index)
    await storage.commit(sessionID, numbers.flatMap(turnOf))
  }
  await storage.close()
}

it("takes little memory to show a very long session, and to go on with it", async () => {
  const place = await workplace()
  const peak = join(place.configuration, "peak")
  await fill(place)
  await using server = await modelServer({ replies: [reply(text("Done."))] })

  async function call(...args: string[]) {
    const ended = await place.pawl(args, {
      environment: { NODE_OPTIONS: `--import=${HOOK.href}`, PEAK_MEMORY_FILE: peak },
    })
    return { ...ended, mebibytes: Number(await readFile(peak, "utf8")) / 1024 }
  }
  const shown = await call("session", "show")
  const told = await call("session", "show", "--json")
  const run = await call("run", "-c", "-m", "custom/test", "--base-url", server.url, "go on")

  expect([shown, told, run].map(({ code }) => code)).toEqual([0, 0, 0])
  expect(shown.stdout.match(/^> Question \d+$/gm)).toHaveLength(MESSAGES / 10)
  expect(jsonLines(told.stdout)).toHaveLength(MESSAGES)
  expect(run.stdout).toBe("Done.\n")
  for (const { mebibytes } of [shown, told, run]) expect(mebibytes).toBeLessThan(MOST_MEBIBYTES)
})
