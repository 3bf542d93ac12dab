/** The JSON Schema (draft 7, which editors know best) of a configuration file. */
export async function jsonSchema(): Promise<Record<string, unknown>> {
  const [{ z }, { schema }] = await Promise.all([import("zod"), import("./schema.ts")])
  return {
    ...z.toJSONSchema(schema, { io: "input", target: "draft-7" }),
    title: "pawl configuration",
    // Understood by editors that follow VS Code; nothing to a validator.
    allowComments: true,
    allowTrailingCommas: true,
  }
}
