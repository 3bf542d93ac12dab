import { isDeepStrictEqual } from "node:util"
import { NotFoundError } from "@pawl/core"
import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import type { ConfigRefusal, ServerUserConfig } from "../host.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"
import { readBody } from "../read-request.ts"
import { RequestError } from "../request-error.ts"
import { openCodeConfig } from "../shapes/config.ts"

type Fields = Readonly<Record<string, unknown>>

/** Maximum size of a change in bytes. A larger file would not be read either. */
const MAX_CHANGE_BYTES = 1024 * 1024
/** Maximum depth of nested objects and arrays, as in a file. */
const MAX_DEPTH = 100
/** Maximum number of values. While it explains many wrong ones, the server answers nothing else. */
const MAX_VALUES = 10_000
/** Maximum time that an answer waits for running directories, whose new plugins may have to be installed first. */
const RELOAD_MS = 10_000

export const configOperations: Operations = {
  "GET /global/config": {
    id: "global.config.get",
    summary: "Returns the user's own configuration.",
    answer: answers.config,
    isGlobal: true,
  },
  "PATCH /global/config": {
    id: "global.config.update",
    summary: "Merges a part into the user's own configuration file, and returns the new configuration.",
    body: answers.config,
    answer: answers.config,
    isGlobal: true,
  },
}

/** Keeps `__proto__`, which a record's schema would drop: the configuration's own schema refuses it by name. */
const part = z.custom<Fields>(isFields, "expected an object")

/** Routes for the user's own configuration. */
export function addConfigRoutes(app: Hono, { host, others }: AppContext): void {
  function userConfig(): ServerUserConfig {
    if (host.userConfig) return host.userConfig
    throw new NotFoundError(
      "pawl's server has no configuration of a user here, so this is not offered: use a server of `pawl serve`.",
    )
  }

  async function shown(): Promise<Record<string, unknown>> {
    return openCodeConfig(accepted(await userConfig().read()))
  }

  app.get("/global/config", async (context) => context.json(await shown()))
  app.patch("/global/config", async (context) => {
    const file = userConfig()
    const body = await readBody(context, part, MAX_CHANGE_BYTES)
    requireBounded(body)
    const changed = differing(body, await shown())
    if (changed !== undefined) {
      accepted(await file.merge(changed))
      await withinTime(others ? others.reload() : (host.reload?.() ?? Promise.resolve()))
    }
    return context.json(await shown())
  })
}

function accepted<T>(outcome: T): Exclude<T, ConfigRefusal> {
  if (isFields(outcome) && typeof outcome["refusal"] === "string") throw new RequestError("Body", outcome["refusal"])
  return outcome as Exclude<T, ConfigRefusal>
}

/**
 * Returns the part of a body that differs from what the server shows, so that a client can send back all that it got:
 * placeholders of secrets in it replace nothing. Undefined if nothing differs.
 */
function differing(body: Fields, there: Fields): Fields | undefined {
  const entries = Object.entries(body).flatMap(([key, value]): (readonly [string, unknown])[] => {
    const old = Object.hasOwn(there, key) ? there[key] : undefined
    // The last permission rule that matches decides, so rules that have not changed count as well, and so does their order.
    if (key === "permission") return JSON.stringify(value) === JSON.stringify(old) ? [] : [[key, value]]
    if (!isFields(value) || !isFields(old)) return isDeepStrictEqual(value, old) ? [] : [[key, value]]
    const changed = differing(value, old)
    return changed === undefined ? [] : [[key, changed]]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Level by level, because recursion could overflow the stack. */
function requireBounded(body: Fields): void {
  let level: unknown[] = [body]
  let values = 0
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length
    if (values > MAX_VALUES) throw new RequestError("Body", `The body has more than ${MAX_VALUES} values.`)
    if (depth > MAX_DEPTH) {
      throw new RequestError("Body", `The body has more than ${MAX_DEPTH} levels of objects and arrays.`)
    }
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []))
  }
}

async function withinTime(work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, RELOAD_MS)
  await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
