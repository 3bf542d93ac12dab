import * as z from "zod"

/** Gives a tool's definition its types, and is otherwise what it was given. */
export const tool = Object.assign(<T>(definition: T): T => definition, { schema: z })

export { z }
