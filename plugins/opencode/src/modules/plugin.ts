import { z } from "zod"

// The replacement of `@opencode-ai/plugin`.

/** Returns the definition of a tool unchanged. It only adds types. */
export const tool = Object.assign(<T>(definition: T): T => definition, { schema: z })
