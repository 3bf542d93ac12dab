import { tool as define, z } from "@pawl/plugin"

// The module that plugins and tool files receive for `@pawl/plugin`.
export * from "@pawl/plugin"

/** Has the property `schema`, because authors of OpenCode plugins expect it. */
export const tool = Object.assign(define, { schema: z })
