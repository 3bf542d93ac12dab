import { describe, expect, it } from "vitest"
import * as script from "../index.ts"
import { parseScript, ScriptError } from "./script-file.ts"

const { reply } = script

describe("parseScript", () => {
  it.each<[string, script.Reply]>([
    ['{"text": "Hi"}', reply(script.text("Hi"))],
    ['{"text": ["H", "i"]}', reply(script.text(["H", "i"]))],
    ["[]", reply()],
    ['{"pings": {"every": 5, "times": 2}}', reply(script.pings({ every: 5, times: 2 }))],
    ['{"pings": {"every": 5}}', reply(script.pings({ every: 5 }))],
    [
      '[{"start": true}, {"reasoning": "Hm"}, {"wait": 5}]',
      reply(script.start(), script.reasoning("Hm"), script.wait(5)),
    ],
    ['{"tool": {"name": "read", "input": {"filePath": "a.ts"}}}', reply(script.call("read", { filePath: "a.ts" }))],
    ['{"tool": {"name": "read", "input": "{oops", "id": "x"}}', reply(script.call("read", "{oops", { id: "x" }))],
    ['{"tool": {"name": "ls"}}', reply(script.call("ls"))],
    ['{"deltas": {"text": "ab ", "count": 9}}', reply(script.deltas({ text: "ab ", count: 9 }))],
    ['[{"badJson": true}, {"cut": true}]', reply(script.badJson(), script.cut())],
    ['{"end": true}', reply(script.end())],
    ['{"stall": true}', reply(script.stall())],
    ['{"streamError": "Overloaded"}', reply(script.streamError("Overloaded"))],
    [
      '{"streamError": {"message": "m", "code": "c", "kind": "overloaded"}}',
      reply(script.streamError("m", { code: "c", kind: "overloaded" })),
    ],
    ['{"reasoning": {"text": "Hm", "signature": "s"}}', reply(script.reasoning("Hm", { signature: "s" }))],
    ['[{"usage": {"cacheWriteTokens": 3}}]', reply(script.usage({ cacheWriteTokens: 3 }))],
    [
      '[{"finish": "length"}, {"usage": {"inputTokens": 5}}]',
      reply(script.finish("length"), script.usage({ inputTokens: 5 })),
    ],
    ['{"httpError": {"status": 503}}', script.httpError(503)],
    [
      '{"httpError": {"status": 500, "message": "m", "code": "c", "headers": {"a": "b"}, "body": {"x": 1}}}',
      script.httpError(500, { message: "m", code: "c", headers: { a: "b" }, body: { x: 1 } }),
    ],
    ['{"rateLimit": {"retryAfter": 2}}', script.rateLimit({ retryAfter: 2 })],
    ['{"unauthorized": true}', script.unauthorized()],
    ['{"contextOverflow": true}', script.contextOverflow()],
    ['{"overloaded": true}', script.overloaded()],
    ['{"quotaExhausted": true}', script.quotaExhausted()],
    ['{"httpError": {"status": 400, "kind": "quota"}}', script.httpError(400, { kind: "quota" })],
    ['{"empty": true}', script.empty()],
  ])("reads %s", (line, expected) => {
    expect(parseScript(line, "script.jsonl")).toEqual([expected])
  })

  it("begins behind a byte order mark", () => {
    expect(parseScript('\ufeff{"text": "a"}', "script.jsonl")).toEqual([reply(script.text("a"))])
  })

  it("skips blank lines and comments, and takes both line ends", () => {
    const replies = parseScript('// first\r\n{"text": "a"}\r\n\r\n  // second\n{"text": "b"}\n', "script.jsonl")

    expect(replies).toEqual([reply(script.text("a")), reply(script.text("b"))])
  })

  it.each([
    ["{", /^s\.jsonl:3: .*JSON/],
    ['{"say": "Hi"}', /^s\.jsonl:3: Unknown step or reply "say"\. Known: start, text,/],
    ['{"toString": true}', /Unknown step or reply "toString"/],
    ['[{"httpError": {"status": 500}}]', /Unknown step "httpError"/],
    ['{"text": "Hi", "wait": 5}', /object with one key/],
    ['"Hi"', /object with one key.*got "Hi"/],
    ['{"text": 5}', /"text" is a string or an array of strings; got 5/],
    ['{"cut": 1}', /"cut" takes the value true; got 1/],
    ['{"wait": "5"}', /"wait" is a number; got "5"/],
    ['{"wait": -5}', /^s\.jsonl:3: wait\(\) needs 0 to 2147483647 milliseconds, got -5/],
    ['{"wait": 2147483648}', /^s\.jsonl:3: wait\(\) needs 0 to/],
    ['{"wait": 1e999}', /^s\.jsonl:3: "wait" is a number; got Infinity/],
    ['{"usage": {"inputTokens": 1e999}}', /^s\.jsonl:3: "usage"\.inputTokens is a number; got Infinity/],
    ['{"usage": {"inputTokens": -1}}', /^s\.jsonl:3: usage\(\) with "inputTokens" needs a whole number/],
    ['{"rateLimit": {"retryAfter": -1}}', /^s\.jsonl:3: rateLimit\(\) with "retryAfter" needs 0 or more seconds/],
    ['{"tool": {"name": ""}}', /^s\.jsonl:3: call\(\) needs the name of a tool/],
    [
      '{"httpError": {"status": 503, "headers": {"a": "b\\n"}}}',
      /^s\.jsonl:3: Invalid character in header content \["a"\]/,
    ],
    ['{"tool": {"input": {}}}', /"tool"\.name is a string; got nothing/],
    ['{"tool": {"name": "a", "input": 5}}', /"tool"\.input is an object/],
    ['{"tool": {"name": "a", "args": {}}}', /"tool" has no "args"\. Known: name, input, id/],
    ['{"deltas": {"text": "a"}}', /"deltas"\.count is a number; got nothing/],
    ['{"usage": {"input": 5}}', /"usage" has no "input"/],
    ['{"httpError": {"status": 503, "headers": {"a": 5}}}', /"httpError"\.headers\.a is a string; got 5/],
    ['{"httpError": {"status": 200}}', /from 400 to 599/],
    ['[{"cut": true}, {"text": "a"}]', /Nothing is sent after/],
  ])("names file and line for %s", (line, problem) => {
    const parse = () => parseScript(`// comment\n\n${line}`, "s.jsonl")

    expect(parse).toThrow(problem)
    expect(parse).toThrow(ScriptError)
  })
})
