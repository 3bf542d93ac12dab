import { tool as define, z } from "@pawl/plugin"

// What plugins and files of tools get for `@pawl/plugin`.
export * from "@pawl/plugin"

/** With the schemas beside it, as authors for OpenCode know it. */
export const tool = Object.assign(define, { schema: z })
