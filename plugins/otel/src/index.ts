import { defaultTextMapGetter, ROOT_CONTEXT } from "@opentelemetry/api"
import { W3CTraceContextPropagator } from "@opentelemetry/core"
import { type Engine, messageOf } from "@pawl/core/plugin"
import type { AssistantMessage, MessageWithParts, SessionID } from "@pawl/core/record"
import { definePlugin } from "@pawl/plugin"
import { billsOf, usageBills } from "./bills.ts"
import { createMeasurements } from "./measurements.ts"
import { settings } from "./settings.ts"
import { openTelemetry } from "./telemetry.ts"
import { createTraces } from "./traces.ts"

export default definePlugin(({ options, engine, notice }) => {
  const chosen = settings.parse(options)
  if (process.env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return {}
  const place = chosen.endpoint === undefined ? "the collector" : new URL(chosen.endpoint).origin
  let isTold = false
  const telemetry = openTelemetry(chosen, (reason) => {
    if (!isTold)
      notice(`Traces and metrics are not delivered to ${place}: ${reason}. See the options of the plugin otel.`)
    isTold = true
  })
  const traces = createTraces(telemetry.tracer, contextAbove())
  const measurements = createMeasurements(telemetry.meter)
  let work = Promise.resolve()

  /** Processes events in order without delaying the engine, which skips events for slow handlers. */
  function inOrder(step: () => Promise<void> | void): void {
    work = work.then(step).catch((error: unknown) => {
      notice(`Something that was done is missing in traces and metrics: ${messageOf(error)}`)
    })
  }

  async function began(sessionID: SessionID, since: number) {
    if (traces.isOpen(sessionID)) return
    // Nothing but the id is known about a removed session.
    const session = await engine.getSession(sessionID).catch(() => ({ id: sessionID }))
    traces.began(session, since)
  }

  /** A message's completion is stored once, whichever process completes it. */
  async function answered(info: AssistantMessage) {
    // This plugin may have been loaded during a turn.
    await began(info.sessionID, info.time.created)
    const message = await storedMessage(engine, info)
    measurements.spent(billsOf(message))
    measurements.took(message)
    traces.answered(message)
  }

  return {
    event({ event: { type, properties } }) {
      if (type === "session.status") {
        const { sessionID, status } = properties
        const now = Date.now()
        inOrder(() => (status.type === "idle" ? traces.ended(sessionID) : began(sessionID, now)))
      } else if (type === "session.error") {
        const { sessionID, error } = properties
        if (sessionID) inOrder(() => traces.failed(sessionID, error.name))
      } else if (type === "message.updated") {
        const { info } = properties
        if (info.role === "assistant" && info.time.completed !== undefined) inOrder(() => answered(info))
      } else if (type === "message.part.updated" && properties.part.type === "usage") {
        const { part } = properties
        inOrder(() => measurements.spent(usageBills(part)))
      }
    },
    async dispose() {
      await work
      traces.close()
      await telemetry.close()
    },
  }
})

/**
 * Returns the message with its parts, or without them if it was removed or cannot be read; its usage is known
 * nevertheless.
 */
async function storedMessage(engine: Engine, info: AssistantMessage): Promise<MessageWithParts<AssistantMessage>> {
  try {
    for await (const message of engine.readMessages(info.sessionID)) {
      if (message.info.id === info.id) return { info, parts: message.parts }
      if (message.info.id < info.id) break
    }
  } catch {
    // The session was removed, or the storage fails, which the engine reports.
  }
  return { info, parts: [] }
}

/** The program that started pawl may be traced itself. */
function contextAbove() {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = process.env
  return new W3CTraceContextPropagator().extract(ROOT_CONTEXT, { traceparent, tracestate }, defaultTextMapGetter)
}
