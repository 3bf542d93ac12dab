import { z } from "zod"

// What plugins get for `@opencode-ai/plugin`.

/** Gives a tool's definition its types, and is otherwise what it was given. */
export const tool = Object.assign(<T>(definition: T): T => definition, { schema: z })
