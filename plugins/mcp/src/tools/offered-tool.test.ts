import { describe, expect, it } from "vitest"
import type { ListedTool } from "../listing/listing.ts"
import { effectOf } from "./effect.ts"
import { inputSchema } from "./input-schema.ts"
import { offeredTool } from "./offered-tool.ts"

const tool = (more: Partial<ListedTool> = {}): ListedTool => ({ name: "t", inputSchema: {}, ...more })
const source = { server: "s", hasDeadline: false, call: async () => ({}) }

describe("a server's tool", () => {
  it("does what it says of itself when it is repeated", () => {
    expect(effectOf(tool({ annotations: { readOnlyHint: true } }), true)).toBe("pure")
    expect(effectOf(tool({ annotations: { idempotentHint: true } }), true)).toBe("idempotent")
    expect(effectOf(tool({ annotations: { destructiveHint: false } }), true)).toBe("unsafe")
    expect(effectOf(tool(), true)).toBe("unsafe")
  })

  it("is unsafe whatever it says where nobody allowed it", () => {
    expect(effectOf(tool({ annotations: { readOnlyHint: true } }), false)).toBe("unsafe")
  })

  it("takes any object, and leaves the rest to the server", () => {
    const offered = offeredTool("s_t", tool(), source)

    expect(offered.parse({ anything: 1 })).toEqual({ anything: 1 })
    for (const given of [null, [], "text", 5]) expect(() => offered.parse(given)).toThrow("need to be an object")
  })

  it("needs the permission of its name, and may stand behind a search", () => {
    const offered = offeredTool("s_t", tool(), source)

    expect(offered.permissions?.({}, { directory: "/", worktree: "/" })).toEqual([
      { permission: "s_t", patterns: ["*"], always: ["*"] },
    ])
    expect(offered.deferrable).toBe(true)
  })

  it("has a description, from wherever there is one", () => {
    expect(offeredTool("s_t", tool({ description: "d", title: "e" }), source).description).toBe("d")
    expect(offeredTool("s_t", tool({ title: "e" }), source).description).toBe("e")
    expect(offeredTool("s_t", tool(), source).description).toBe("t")
  })
})

describe("a schema for arguments", () => {
  it("is an object's, and otherwise as the server wrote it", () => {
    const given = {
      type: "object",
      properties: { a: { anyOf: [{ type: "string" }, { $ref: "#/$defs/x" }] } },
      $defs: { x: {} },
    }
    expect(inputSchema(given)).toEqual(given)
  })

  it.each([[null], [[]], [{}], [{ type: "string" }], [{ type: "object", properties: [] }], ["x"]])(
    "is an object's for %j",
    (given) => {
      expect(inputSchema(given)).toMatchObject({ type: "object", properties: {} })
    },
  )
})
