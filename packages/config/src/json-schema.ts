/** Returns the JSON Schema of a configuration file, in draft 7, which editors support best. */
export async function jsonSchema(): Promise<Record<string, unknown>> {
  const [{ z }, { schema }] = await Promise.all([import("zod"), import("./schema.ts")])
  return {
    ...z.toJSONSchema(schema, { io: "input", target: "draft-7" }),
    title: "pawl configuration",
    // A keyword of VS Code that validators ignore.
    allowComments: true,
    allowTrailingCommas: true,
  }
}
