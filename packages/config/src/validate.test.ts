import { describe, expect, it } from "vitest"
import { validate } from "./validate.ts"

function messages(value: unknown, written: unknown = value): string[] {
  return validate(value, { written, locate: () => undefined }).map(({ message }) => message)
}

describe("validate", () => {
  it("accepts every key", () => {
    const everything = {
      $schema: "./schema.json",
      model: "openrouter/meta/llama-3:70b",
      small_model: "local/small",
      provider: {
        local: {
          name: "Local",
          npm: "@pawl/provider-openai-compatible",
          api: "http://localhost:1234/v1",
          env: ["LOCAL_KEY"],
          whitelist: ["llama3:8b"],
          blacklist: [],
          options: {
            ...{ baseURL: "http://localhost:1234/v1", apiKey: "k", headers: { "X-Team": "a" }, query: { v: "1" } },
            ...{ proxy: "http://127.0.0.1:3128", ca: "./company.pem", sdk: { region: "eu", retries: [1, null] } },
            ...{ timeout: 0, connectTimeout: false, headerTimeout: 5, chunkTimeout: 6 },
          },
          models: {
            "llama3:8b": {
              name: "Llama",
              limit: { context: 8192, output: 2048, input: 6144 },
              id: "meta/llama-3-8b",
              cost: {
                ...{ input: 0, output: 0.5, cache_read: 0.1, cache_write: 1 },
                tiers: [{ above: 100_000, input: 1, output: 1, cache_read: 0 }],
                context_over_200k: { input: 2, output: 2 },
              },
              modalities: { input: ["text", "image"], output: ["text"] },
              status: "beta",
              headers: { "x-model": "a" },
              options: { seed: 1, nested: { deep: [null] } },
              structured_output: true,
              variants: { high: { reasoningEffort: "high" }, low: { disabled: true } },
              reasoning: false,
              attachment: true,
              tool_call: true,
              temperature: true,
              middleware: [
                "simulateStreaming",
                { name: "extractReasoning", tagName: "why", separator: " ", startWithReasoning: true },
                { name: "extractReasoning", tagName: { opening: "(", closing: ")" } },
                { name: "extractJson" },
                { name: "defaultSettings", settings: { topK: 20, seed: 1, stopSequences: ["END"] } },
              ],
            },
          },
        },
      },
      disabled_providers: ["openai"],
      enabled_providers: ["local", "openrouter"],
      permission: { "*": "ask", bash: { "git *": "allow", "*": "deny" } },
      instructions: ["AGENTS.md"],
      agent: {
        review: {
          description: "Reviews",
          mode: "subagent",
          model: "local/small",
          variant: "high",
          prompt: "Review.",
          steps: 5,
          temperature: 0.2,
          top_p: 1,
          permission: "deny",
          hidden: true,
          disable: false,
          delegates: [{ permission: "bash", pattern: "git *" }, { permission: "read" }],
          color: "#f80",
          tools: { write: false },
          maxSteps: 3,
        },
        other: { delegates: { bash: ["a", "b"], edit: "*" }, color: "red" },
      },
      mode: { old: { model: "a/b" } },
      tools: { bash: false },
      command: {
        fix: { template: "Fix $1", description: "Fixes", agent: "build", model: "a/b", variant: "low", subtask: true },
      },
      skills: { paths: ["~/skills"] },
      subagent_depth: 0,
      shell: "/bin/bash",
      sandbox: { type: "bwrap", network: true, writable: ["/srv/cache"] },
      environment: ["CI", "_x1"],
      log: { level: "debug" },
      upgrade: { notice: true },
      formatter: {
        prettier: { command: ["prettier", "--write", "$FILE"], extensions: [".ts", "d.ts"], environment: { A: "b" } },
        gofmt: { disabled: true },
      },
      check: { types: { command: ["tsc"], extensions: ["ts"], timeout_ms: 0 } },
      webfetch: { allow: ["localhost:8080", "*.intra.example", "10.0.0.1", "[::1]:80", "host"] },
      limits: {
        ...{ steps: 1, cost: 0.5, deadline_ms: 1000, tokens: 100_000, requests: 9, run: { steps: 3, tokens: 5 } },
        step: { tokens: 1, cost: 0.1, requests: 3, time_ms: 0 },
        session: { cost: 5 },
        day: { cost: 20, of: "project" },
      },
      ask: "wait",
      title: false,
      default_agent: "review",
      storage: "postgres://localhost/pawl",
      data: "/srv/pawl",
      tool_output: { max_lines: 10, max_bytes: 1000 },
      compaction: {
        auto: true,
        prune: false,
        reserved: 10_000,
        preserve_recent_tokens: 0,
        tail_turns: 2,
        soft: 0.5,
        cache_ttl_ms: 3_600_000,
        models: { "openai/*": { auto: false, soft: 1 } },
      },
      repetition: { response: "nudge" },
      deadlines: {
        ...{ connect_ms: 2, first_event_ms: 1, idle_ms: 0, tool_ms: 600_000, question_ms: 3 },
        ...{ subagent_ms: 4, abort_ms: 5 },
      },
      plugin: ["./audit.ts", ["@acme/plugin", { level: 3, nested: { deep: [null] } }]],
    }
    expect(messages(everything)).toEqual([])
  })

  it.each([{ formatter: false }, { sandbox: false }, { sandbox: "bwrap" }, { sandbox: { type: "bwrap" } }])(
    "accepts %o",
    (value) => {
      expect(messages(value)).toEqual([])
    },
  )

  it.each<{ value: unknown; message: string }>([
    { value: [], message: "The configuration must be an object, got an array." },
    { value: "a", message: "The configuration must be an object, got a string." },
    { value: { model: 5 }, message: "model must be a string, got a number." },
    { value: { model: null }, message: "model must be a string, got null." },
    { value: { model: "gpt" }, message: 'model must be "provider/model", got "gpt".' },
    { value: { small_model: "/x" }, message: 'small_model must be "provider/model", got "/x".' },
    { value: { provider: [] }, message: "provider must be an object, got an array." },
    {
      value: { repetition: { response: "never" } },
      message: 'repetition.response must be "ask", "nudge" or "stop", got "never".',
    },
    { value: { compaction: { soft: 75 } }, message: "compaction.soft must be a number from 0.1 to 1, got 75." },
    {
      value: { compaction: { models: { "openai/*": { tail_turns: -1 } } } },
      message: 'compaction.models["openai/*"].tail_turns must be a whole number of turns, 0 or more, got -1.',
    },
    {
      value: { provider: { local: { options: { baseURL: 5 } } } },
      message: "provider.local.options.baseURL must be a string, got a number.",
    },
    {
      value: { provider: { local: { options: { headers: { "X-Team": true } } } } },
      message: "provider.local.options.headers.X-Team must be a string, got a boolean.",
    },
    ...(
      [
        [
          "extract",
          '[0] must be one of extractReasoning, extractJson, simulateStreaming, defaultSettings, or an object with such a name, got "extract". Did you mean "extractJson"?',
        ],
        [
          { name: "think" },
          '[0].name must be "extractReasoning", "extractJson", "simulateStreaming" or "defaultSettings", got "think".',
        ],
        [{ name: "extractReasoning", tagName: "" }, '[0].tagName must be a text that is not blank, got "".'],
        [{ name: "extractJson", tagName: "a" }, "[0] must have no options of another middleware, got an object."],
      ] as const
    ).map(([middleware, message]) => ({
      value: { provider: { local: { models: { m: { middleware: [middleware] } } } } },
      message: `provider.local.models.m.middleware${message}`,
    })),
    {
      value: { provider: { local: { options: { chunkTimeout: true } } } },
      message: "provider.local.options.chunkTimeout must be a whole number of milliseconds, 0 or more, got true.",
    },
    {
      value: {
        provider: { local: { models: { m: { cost: { input: 1, output: 1, tiers: [{ above: 5, output: 1 }] } } } } },
      },
      message:
        "provider.local.models.m.cost.tiers[0].input is missing: it must be a price in US dollars per million tokens, 0 or more.",
    },
    {
      value: { provider: { local: { models: { m: { status: "old" } } } } },
      message: 'provider.local.models.m.status must be "alpha", "beta", "active" or "deprecated", got "old".',
    },
    {
      value: { disabled_providers: "openai" },
      message: "disabled_providers must be an array, got a string.",
    },
    {
      value: { provider: { local: { options: { timeout: -1 } } } },
      message: "provider.local.options.timeout must be a whole number of milliseconds, 0 or more, got -1.",
    },
    {
      value: { provider: { local: { models: { m: { variants: { high: { disabled: 1 } } } } } } },
      message: "provider.local.models.m.variants.high.disabled must be true or false, got a number.",
    },
    {
      value: { provider: { local: { options: { promptCache: true } } } },
      message: 'provider.local.options.promptCache must be "5m", "1h" or false, got true.',
    },
    { value: { agent: { a: { variant: 1 } } }, message: "agent.a.variant must be a string, got a number." },
    {
      value: { provider: { local: { models: { "m:1": { limit: { context: 5 } } } } } },
      message: 'provider.local.models["m:1"].limit.output is missing: it must be a whole number of tokens, 0 or more.',
    },
    {
      value: { provider: { local: { models: { m: { limit: { context: 1.5, output: 1 } } } } } },
      message: "provider.local.models.m.limit.context must be a whole number of tokens, 0 or more, got 1.5.",
    },
    {
      value: { provider: { local: { models: { m: { cost: { input: -1, output: 1 } } } } } },
      message:
        "provider.local.models.m.cost.input must be a price in US dollars per million tokens, 0 or more, got -1.",
    },
    {
      value: { provider: { local: { models: { m: { reasoning: "yes" } } } } },
      message: "provider.local.models.m.reasoning must be true or false, got a string.",
    },
    {
      value: { permission: "alow" },
      message:
        'permission must be "allow", "ask", "deny" or an object of permissions, got "alow". Did you mean "allow"?',
    },
    {
      value: { permission: true },
      message: 'permission must be "allow", "ask", "deny" or an object of permissions, got true.',
    },
    {
      value: { permission: { bash: ["git *"] } },
      message: 'permission.bash must be "allow", "ask", "deny" or an object of patterns, got an array.',
    },
    {
      value: { permission: { bash: { "git *": "yes" } } },
      message: 'permission.bash["git *"] must be "allow", "ask" or "deny", got "yes".',
    },
    { value: { instructions: "AGENTS.md" }, message: "instructions must be an array, got a string." },
    { value: { instructions: ["a", 2] }, message: "instructions[1] must be a string, got a number." },
    {
      value: { agent: { a: { mode: "main" } } },
      message: 'agent.a.mode must be "primary", "subagent" or "all", got "main".',
    },
    { value: { agent: { a: { steps: 0 } } }, message: "agent.a.steps must be a whole number above 0, got 0." },
    { value: { agent: { a: { top_p: 2 } } }, message: "agent.a.top_p must be a number from 0 to 1, got 2." },
    {
      value: { agent: { a: { temperature: "hot" } } },
      message: "agent.a.temperature must be a number, 0 or more, got a string.",
    },
    {
      value: { agent: { a: { permission: { edit: "never" } } } },
      message: 'agent.a.permission.edit must be "allow", "ask", "deny" or an object of patterns, got "never".',
    },
    {
      value: { storage: "postgres://me:secret@host:port/pawl" },
      message: 'storage must be a URL, as in scheme:rest, got "postgres://me:…@host:port/pawl".',
    },
    { value: { storage: "sessions" }, message: 'storage must be a URL, as in scheme:rest, got "sessions".' },
    {
      value: { tool_output: { max_lines: Infinity } },
      message: "tool_output.max_lines must be a whole number above 0, got Infinity.",
    },
    {
      value: { agent: { a: { delegates: "bash" } } },
      message:
        'agent.a.delegates must be an array of { permission, pattern } or an object of patterns by permission, got "bash".',
    },
    {
      value: { agent: { a: { delegates: [{ pattern: "*" }] } } },
      message: "agent.a.delegates[0].permission is missing: it must be a string.",
    },
    {
      value: { agent: { a: { delegates: { bash: 1 } } } },
      message: "agent.a.delegates.bash must be a pattern or an array of patterns, got 1.",
    },
    {
      value: { agent: { a: { color: "rde" } } },
      message: 'agent.a.color must be a color\'s name or "#rrggbb", got "rde".',
    },
    {
      value: { agent: { a: { color: "#ff" } } },
      message: 'agent.a.color must be a color\'s name or "#rrggbb", got "#ff".',
    },
    {
      value: { agent: { a: { tools: { bash: "no" } } } },
      message: "agent.a.tools.bash must be true or false, got a string.",
    },
    { value: { command: { fix: {} } }, message: "command.fix.template is missing: it must be a string." },
    {
      value: { command: { fix: { template: "", model: "m" } } },
      message: 'command.fix.model must be "provider/model", got "m".',
    },
    { value: { skills: ["a"] }, message: "skills must be an object, got an array." },
    { value: { subagent_depth: -1 }, message: "subagent_depth must be a whole number, 0 or more, got -1." },
    { value: { formatter: true }, message: "formatter must be false or an object of formatters, got true." },
    {
      value: { formatter: { a: { command: ["a"] } } },
      message: 'formatter.a.command must hold "$FILE" in one of its words, got an array.',
    },
    { value: { formatter: { a: {} } }, message: 'formatter.a must have a "command", or "disabled", got an object.' },
    {
      value: { formatter: { a: { command: ["$FILE"], extensions: ["*.ts"] } } },
      message: 'formatter.a.extensions[0] must be a file name\'s ending, such as ".ts", got "*.ts".',
    },
    { value: { check: { a: { command: [] } } }, message: "check.a.command must name a program, got an array." },
    { value: { check: { a: {} } }, message: "check.a.command is missing: it must be an array." },
    {
      value: { sandbox: true },
      message: 'sandbox must be false, "bwrap" or an object with the type "bwrap", got true.',
    },
    { value: { sandbox: { type: "docker" } }, message: 'sandbox.type must be "bwrap", got "docker".' },
    {
      value: { sandbox: { type: "bwrap", network: 1 } },
      message: "sandbox.network must be true or false, got a number.",
    },
    {
      value: { environment: ["AWS_*"] },
      message: 'environment[0] must be the name of an environment variable, got "AWS_*".',
    },
    {
      value: { webfetch: { allow: ["http://localhost"] } },
      message: 'webfetch.allow[0] must be a host, such as "localhost:8080", got "http://localhost".',
    },
    {
      value: { limits: { day: { cost: -1 } } },
      message: "limits.day.cost must be a number of US dollars above 0, got -1.",
    },
    {
      value: { limits: { day: { of: "me" } } },
      message: 'limits.day.of must be "storage" or "project", got "me".',
    },
    { value: { limits: { cost: 0 } }, message: "limits.cost must be a number of US dollars above 0, got 0." },
    {
      value: { permission: { bash: "alow" } },
      message:
        'permission.bash must be "allow", "ask", "deny" or an object of patterns, got "alow". Did you mean "allow"?',
    },
    {
      value: { permission: { bash: { "git *": "dny" } } },
      message: 'permission.bash["git *"] must be "allow", "ask" or "deny", got "dny". Did you mean "deny"?',
    },
    {
      value: { agent: { a: { mode: "primry" } } },
      message: 'agent.a.mode must be "primary", "subagent" or "all", got "primry". Did you mean "primary"?',
    },
    { value: { ask: "allow" }, message: 'ask must be "deny" or "wait", got "allow".' },
    { value: { plugin: [5] }, message: "plugin[0] must be a plugin's name or a pair [name, options], got 5." },
    {
      value: { plugin: [["a"]] },
      message: "plugin[0] must be a plugin's name or a pair [name, options], got an array.",
    },
    { value: { plugin: [["a", "b"]] }, message: "plugin[0][1] must be an object, got a string." },
  ])("says: $message", ({ value, message }) => {
    expect(messages(value)).toEqual([message])
  })

  it.each<{ value: unknown; message: RegExp }>([
    { value: { modle: "a/b" }, message: /^Unknown key "modle"\. Did you mean "model"\?$/ },
    {
      value: { provider: { local: { options: { baseUrl: "x" } } } },
      message: /^Unknown key "baseUrl" in provider\.local\.options\. Did you mean "baseURL"\?$/,
    },
    {
      value: { agent: { a: { max_steps: 3 } } },
      message: /^Unknown key "max_steps" in agent\.a\. (Did you mean|Known keys:)/,
    },
    {
      value: { tool_output: { colour: true } },
      message: /^Unknown key "colour" in tool_output\. Known keys: max_lines, max_bytes\.$/,
    },
    {
      value: { agent: { a: { delegates: [{ permission: "bash", patern: "*" }] } } },
      message: /^Unknown key "patern" in agent\.a\.delegates\[0\]\. Did you mean "pattern"\?$/,
    },
    {
      value: { sandbox: { type: "bwrap", nework: true } },
      message: /^Unknown key "nework" in sandbox\. Did you mean "network"\?$/,
    },
    {
      value: { formatter: { a: { comand: ["$FILE"] } } },
      message: /^Unknown key "comand" in formatter\.a\. Did you mean "command"\?$/,
    },
    {
      value: { agent: { a: { maxStep: 1 } } },
      message: /^Unknown key "maxStep" in agent\.a\. Did you mean "steps"\?$|Known keys: (?!.*maxSteps)/,
    },
    { value: { lsp: {} }, message: /^Unknown key "lsp"\. Known keys: \$schema, model, small_model, / },
  ])("answers an unknown key with $message", ({ value, message }) => {
    expect(messages(value)).toEqual([expect.stringMatching(message)])
  })

  it.each(["0", "7", "2024", "4294967294"])(
    "refuses %s as a pattern or a permission: its place would be lost",
    (key) => {
      const lost = `would lose its place among the rules, of which the last one counts: keys that are whole numbers come first. Write it with a wildcard, such as "${key}*".`
      expect(messages({ permission: { edit: { "*": "allow", [key]: "deny" } } })).toEqual([
        `permission.edit.${key} ${lost}`,
      ])
      expect(messages({ permission: { "*": "allow", [key]: "deny" } })).toEqual([`permission.${key} ${lost}`])
      expect(messages({ agent: { a: { permission: { edit: { [key]: "deny" } } } } })).toEqual([
        `agent.a.permission.edit.${key} ${lost}`,
      ])
    },
  )

  it("accepts numbers whose place is kept, and whole numbers where there is no order", () => {
    const edit = { "*": "allow", "2024*": "deny", "007": "deny", "-1": "deny", "1.5": "deny" } as const
    expect(messages({ permission: { edit }, agent: { 1: {} }, plugin: [["a", { 1: true }]] })).toEqual([])
    expect(Object.keys(edit)).toEqual(["*", "2024*", "007", "-1", "1.5"])
  })

  it("quotes the beginning of what is long", () => {
    const long = "x".repeat(1_000_000)
    const short = `${"x".repeat(60)}…`
    expect(messages({ [long]: 1, model: long, agent: { [long]: { steps: 0 } } }).toSorted()).toEqual([
      `Unknown key "${short}". ${messages({ x: 1 })[0]?.slice('Unknown key "x". '.length)}`,
      `agent["${short}"].steps must be a whole number above 0, got 0.`,
      `model must be "provider/model", got "${short}".`,
    ])
  })

  it("reports everything at once, unknown keys one by one", () => {
    const value = { modle: "a/b", agnet: {}, permission: { edit: 1, bash: { x: 2 } }, data: 3 }
    expect(
      messages(value)
        .map((message) => message.split(" ").slice(0, 3).join(" "))
        .sort(),
    ).toEqual([
      'Unknown key "agnet".',
      'Unknown key "modle".',
      "data must be",
      "permission.bash.x must be",
      "permission.edit must be",
    ])
  })

  it.each(['{"__proto__":{}}', '{"agent":{"__proto__":{}}}', '{"plugin":[["a",{"b":{"__proto__":1}}]]}'])(
    "refuses %s",
    (text) => {
      expect(messages(JSON.parse(text))).toEqual(['The key "__proto__" is not allowed.'])
    },
  )

  it("quotes what was written, not what it was replaced by", () => {
    expect(messages({ model: "sk-123" }, { model: "{env:TOKEN}" })).toEqual([
      'model must be "provider/model", got "{env:TOKEN}" (not valid after substitution).',
    ])
    expect(messages({ model: "" }, { model: "{env:MODEL}" })).toEqual([
      'model must be "provider/model", got "{env:MODEL}" (empty after substitution).',
    ])
  })
})
