import { setTimeout as delay } from "node:timers/promises"
import { assert as checkProperty, array, constantFrom, integer, property, string } from "fast-check"
import { expect, it } from "vitest"
import { terminalServer, terminalSocket } from "../../test/terminals.ts"
import { createTerminalOutput } from "./output.ts"

const node = process.execPath

it("sends 1 MB of multi-byte text whole", async () => {
  const server = await terminalServer()
  const line = "zwölf 漢字 👩‍👩‍👧 Ω"
  const program = `const line = ${JSON.stringify(`${line}\n`)}; process.stdout.write(line.repeat(30000) + "END\\n")`
  const { id } = await server.open({ command: "sh", args: ["-c", 'read _; exec "$0" -e "$1"', node, program] })
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  client.socket.send("\n")
  await client.ended
  const lines = client.text().trim().split("\r\n")
  expect(lines.at(-1)).toBe("END")
  expect(lines.slice(0, -1).filter((each) => each !== line)).toEqual([])
  expect(lines.length).toBe(30_001)
  expect(Buffer.byteLength(client.text())).toBeGreaterThan(1_000_000)
})

it("keeps the newest output, and says where it begins", async () => {
  const server = await terminalServer({ limits: { output: 64 * 1024 } })
  const { id } = await server.open({ command: "sh", args: ["-c", "seq 100000; echo END; cat"] })
  const first = await terminalSocket(server.address, `/pty/${id}/connect?cursor=-1`)
  await expect
    .poll(async () => {
      const late = await terminalSocket(server.address, `/pty/${id}/connect`)
      await expect.poll(() => late.cursors.length).toBe(1)
      return late.text().endsWith("END\r\n") ? late.text().length : 0
    })
    .toBeGreaterThan(64 * 1024 - 1)
  const late = await terminalSocket(server.address, `/pty/${id}/connect`)
  await late.shows("END")
  expect(late.text().length).toBeLessThan(128 * 1024)
  await expect.poll(() => late.cursors).toEqual([{ cursor: 588_895 + 100_000 + 5, at: late.text().length }])
  first.socket.terminate()
})

it("closes a connection that sends a large message, and takes what is below", async () => {
  const server = await terminalServer()
  const { id } = await server.open({ command: "sh", args: ["-c", "stty raw -echo; echo up; wc -c"] })
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  await client.shows("up")
  client.socket.send("x".repeat(64 * 1024))
  client.socket.send("x".repeat(64 * 1024 + 1))
  expect((await client.ended).code).toBe(1009)
  expect((await server.send("GET", `/pty/${id}`)).status).toBe(200)
})

it("accepts no compressed messages, which may be small and expand to many megabytes", async () => {
  const server = await terminalServer()
  const { id } = await server.open({ command: "cat" })
  expect((await terminalSocket(server.address, `/pty/${id}/connect`)).socket.extensions).toBe("")
})

it("writes bytes of a code point that come apart", async () => {
  const server = await terminalServer()
  const { id } = await server.open({ command: "sh", args: ["-c", "stty -echo; echo up; cat"] })
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  await client.shows("up")
  for (const byte of Buffer.from("👩‍👧!\n")) client.socket.send(Buffer.of(byte))
  await client.shows("👩‍👧!")
  expect(client.text()).not.toContain("\uFFFD")
})

it("closes a client whose input no program reads, and answers others meanwhile", async () => {
  const server = await terminalServer({ limits: { input: 128 * 1024 } })
  const { id } = await server.open({ command: "sh", args: ["-c", "stty raw -echo; echo up; sleep 300"] })
  const client = await terminalSocket(server.address, `/pty/${id}/connect`)
  await client.shows("up")
  for (let sent = 0; sent < 16; sent++) client.socket.send("x".repeat(60_000))
  expect(await client.ended).toMatchObject({ code: 1013, reason: expect.stringContaining("does not read its input") })
  expect((await server.send("GET", `/pty/${id}`)).status).toBe(200)
})

it("cuts a client that takes nothing, and no other", async () => {
  const server = await terminalServer({ limits: { stallMs: 300, output: 256 * 1024 } })
  const { id } = await server.open({
    command: "sh",
    args: ["-c", "read _; yes 0123456789 | head -c 30000000; echo END; cat"],
  })
  const stalled = await terminalSocket(server.address, `/pty/${id}/connect`)
  const reading = await terminalSocket(server.address, `/pty/${id}/connect`)
  stalled.socket.pause()
  reading.socket.send("\n")
  await reading.shows("END")
  const { value } = await server.send("GET", `/pty/${id}`)
  expect(value).toMatchObject({ status: "running" })
  stalled.socket.resume()
  expect([1006, 1013]).toContain((await stalled.ended).code)
  expect(stalled.text()).not.toContain("END")
})

it("cuts a client that is alone and takes nothing, and the program goes on", async () => {
  const server = await terminalServer({ limits: { stallMs: 300, output: 256 * 1024 } })
  const events = await server.events()
  const command = { command: "sh", args: ["-c", "read _; yes 0123456789 | head -c 30000000"] }
  const { id } = await server.open(command)
  const stalled = await terminalSocket(server.address, `/pty/${id}/connect`)
  stalled.socket.pause()
  stalled.socket.send("\n")
  await delay(100)
  expect(events.types()).not.toContain("pty.exited")
  await events.until("pty.exited")
  stalled.socket.resume()
  expect((await stalled.ended).code).toBe(1006)
})

it("reads output back whole, however it is divided", () => {
  const text = string({ unit: "grapheme", maxLength: 40 })
  checkProperty(
    property(array(text), integer({ min: 2, max: 20 }), constantFrom(10, 100, 1_000_000), (texts, max, kept) => {
      const output = createTerminalOutput(kept)
      for (const each of texts) output.append(each)
      const all = texts.join("")
      let read = ""
      for (let at = output.start; at < output.end;) {
        const { text: piece, next } = output.read(at, max)
        expect(piece.length).toBeLessThanOrEqual(max)
        expect(piece.isWellFormed()).toBe(true)
        read += piece
        at = next
      }
      expect(output.end).toBe(all.length)
      expect(read).toBe(all.slice(output.start))
      expect(read.length).toBeGreaterThanOrEqual(Math.min(kept, all.length))
    }),
  )
})

it("begins after a code point that a cursor splits", () => {
  const output = createTerminalOutput(100)
  output.append("a👩b")
  expect(output.read(2, 10)).toEqual({ text: "b", next: 4 })
})
