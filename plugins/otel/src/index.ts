import { defaultTextMapGetter, ROOT_CONTEXT } from "@opentelemetry/api"
import { W3CTraceContextPropagator } from "@opentelemetry/core"
import type { AssistantMessage, Engine, MessageWithParts } from "@pawl/core"
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

  /** That a message is complete is stored once, whoever completes it. */
  async function answered(info: AssistantMessage) {
    // A fork's copy was paid for where it comes from.
    if (info.time.completed === undefined || info.copyOf !== undefined) return
    const message = await storedMessage(engine, info)
    measurements.spent(billsOf(message))
    measurements.took(message)
    traces.answered(message)
  }

  return {
    async event({ event: { type, properties } }) {
      switch (type) {
        case "session.status":
          if (properties.status.type === "idle") traces.ended(properties.sessionID)
          else traces.began(await engine.getSession(properties.sessionID))
          break
        case "session.error":
          if (properties.sessionID) traces.failed(properties.sessionID, properties.error.name)
          break
        case "message.updated":
          if (properties.info.role === "assistant") await answered(properties.info)
          break
        case "message.part.updated":
          if (properties.part.type === "usage") measurements.spent(usageBills(properties.part))
          break
      }
    },
    async dispose() {
      traces.close()
      await telemetry.close()
    },
  }
})

/** With its parts; without them where it is gone again. */
async function storedMessage(engine: Engine, info: AssistantMessage): Promise<MessageWithParts<AssistantMessage>> {
  for await (const message of engine.readMessages(info.sessionID)) {
    if (message.info.id === info.id) return { info, parts: message.parts }
    if (message.info.id < info.id) break
  }
  return { info, parts: [] }
}

/** What started pawl may be traced itself. */
function contextAbove() {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = process.env
  return new W3CTraceContextPropagator().extract(ROOT_CONTEXT, { traceparent, tracestate }, defaultTextMapGetter)
}
