/** What survives a round trip through JSON. */
export type JSONValue = string | number | boolean | null | readonly JSONValue[] | JSONObject
export interface JSONObject {
  readonly [key: string]: JSONValue | undefined
}
