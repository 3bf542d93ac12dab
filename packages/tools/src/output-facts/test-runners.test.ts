import { describe, expect, it } from "vitest"
import { testRun } from "./failing-tests.ts"

interface Sample {
  readonly runner: string
  readonly output: string
  readonly failing: readonly string[]
}

/** What test runners print when tests fail. */
const samples: readonly Sample[] = [
  {
    runner: "vitest",
    failing: [
      "src/broken.test.ts",
      "src/cart.test.ts > Cart > adds an item",
      "|web| src/cart.test.ts > Cart > removes > the last",
    ],
    output: `
 RUN  v3.2.4 /repo

 ✓ src/sum.test.ts (3 tests) 4ms
 ❯ src/cart.test.ts (4 tests | 2 failed) 12ms
   ✓ Cart > is empty at first 1ms
   × Cart > adds an item 5ms
     → expected 1 to be 2 // Object.is equality
   × Cart > removes > the last 1ms
     → expected [] to include 'x'

⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/broken.test.ts [ src/broken.test.ts ]
Error: Cannot find module './gone' imported from '/repo/src/broken.test.ts'

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/cart.test.ts > Cart > adds an item
AssertionError: expected 1 to be 2 // Object.is equality
 ❯ src/cart.test.ts:9:20

 FAIL  |web| src/cart.test.ts > Cart > removes > the last
AssertionError: expected [] to include 'x'

 Test Files  2 failed | 1 passed (3)
      Tests  2 failed | 5 passed (7)
   Start at  10:00:00
   Duration  312ms
`,
  },
  {
    runner: "jest",
    failing: ["src/sum.test.js › Math › subtracts", "src/sum.test.js › adds", "src/broken.test.js"],
    output: `PASS src/other.test.js
FAIL src/sum.test.js
  ● Console

    console.log
      hello

  ● Math › subtracts

    expect(received).toBe(expected) // Object.is equality

    Expected: 1
    Received: 2

      at Object.toBe (src/sum.test.js:9:20)

  ● adds

    thrown: "x"

FAIL src/broken.test.js
  ● Test suite failed to run

    Cannot find module './gone' from 'src/broken.test.js'

Test Suites: 2 failed, 1 passed, 3 total
Tests:       2 failed, 3 passed, 5 total
Snapshots:   0 total
Time:        0.5 s
`,
  },
  {
    runner: "mocha",
    failing: ["Array > #indexOf() > should return -1 when not present", '"before each" hook for "works"'],
    output: `

  Array
    #indexOf()
      1) should return -1 when not present
      ✔ should return the index

  1 passing (5ms)
  2 failing

  1) Array
       #indexOf()
         should return -1 when not present:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
      + expected - actual

      at Context.<anonymous> (test/array.js:5:14)

  2) "before each" hook for "works":
     Error: boom
`,
  },
  {
    runner: "node:test as TAP",
    failing: ["subtracts", "math"],
    output: `TAP version 13
# Subtest: math
    # Subtest: adds
    ok 1 - adds
      ---
      duration_ms: 0.3
      ...
    # Subtest: subtracts
    not ok 2 - subtracts
      ---
      failureType: 'testCodeFailure'
      ...
    # Subtest: later
    not ok 3 - later # TODO
    1..3
not ok 1 - math
1..1
# tests 3
# pass 1
# fail 1
`,
  },
  {
    runner: "node:test as text",
    failing: ["subtracts (by one)", "math"],
    output: `▶ math
  ✔ adds (0.512ms)
  ✖ subtracts (by one) (0.8ms)
✖ math (2.1ms)
ℹ tests 2
ℹ suites 1
ℹ pass 1
ℹ fail 1
ℹ cancelled 0

✖ failing tests:

test at math.test.js:5:3
✖ subtracts (by one) (0.8ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
`,
  },
  {
    runner: "pytest",
    failing: ["tests/test_cart.py::TestCart::test_add", "tests/test_cart.py::test_price[a b-1]", "tests/test_db.py"],
    output: `============================= test session starts ==============================
platform linux -- Python 3.12.3, pytest-8.2.0, pluggy-1.5.0
collected 12 items

tests/test_cart.py .F.F                                                  [ 33%]

=================================== FAILURES ===================================
______________________________ TestCart.test_add _______________________________

    def test_add(self):
>       assert add(1, 1) == 3
E       assert 2 == 3

tests/test_cart.py:9: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::TestCart::test_add - assert 2 == 3
FAILED tests/test_cart.py::test_price[a b-1] - KeyError: 'a - b'
ERROR tests/test_db.py - ModuleNotFoundError: No module named 'db'
============== 2 failed, 10 passed, 1 error in 0.12s ===========================
`,
  },
  {
    runner: "pytest -v without a summary of names",
    failing: ["tests/test_cart.py::test_price[a b-1]"],
    output: `tests/test_cart.py::test_add PASSED                                      [ 50%]
tests/test_cart.py::test_price[a b-1] FAILED                             [100%]
1 failed, 1 passed in 0.02s
`,
  },
  {
    runner: "unittest",
    failing: ["test_add (tests.test_cart.TestCart.test_add)", "test_db (tests.test_db.TestDB.test_db)"],
    output: `.FE
======================================================================
FAIL: test_add (tests.test_cart.TestCart.test_add)
----------------------------------------------------------------------
AssertionError: 2 != 3

======================================================================
ERROR: test_db (tests.test_db.TestDB.test_db)
----------------------------------------------------------------------
Ran 3 tests in 0.001s

FAILED (failures=1, errors=1)
`,
  },
  {
    runner: "go test",
    failing: ["TestAdd", "TestAdd/negative_numbers", "example.com/calc/broken [build failed]"],
    output: `ok  	example.com/calc/other	0.002s
--- FAIL: TestAdd (0.00s)
    --- FAIL: TestAdd/negative_numbers (0.00s)
        add_test.go:12: got -1, want -2
FAIL
FAIL	example.com/calc	0.003s
FAIL	example.com/calc/broken [build failed]
FAIL
`,
  },
  {
    runner: "cargo test",
    failing: ["tests::it_subtracts", "src/lib.rs - add (line 3)"],
    output: `running 2 tests
test tests::it_adds ... ok
test tests::it_subtracts ... FAILED

failures:

---- tests::it_subtracts stdout ----
thread 'tests::it_subtracts' panicked at src/lib.rs:12:9:
assertion \`left == right\` failed

failures:
    tests::it_subtracts

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

running 1 test
test src/lib.rs - add (line 3) ... FAILED
error: test failed, to rerun pass \`--lib\`
`,
  },
  {
    runner: "cargo nextest",
    failing: ["calc tests::it_subtracts"],
    output: `    Starting 2 tests across 1 binary
        PASS [   0.003s] calc tests::it_adds
        FAIL [   0.004s] calc tests::it_subtracts
------------
     Summary [   0.005s] 2 tests run: 1 passed, 1 failed, 0 skipped
        FAIL [   0.004s] (2/2) calc tests::it_subtracts
error: test run failed
`,
  },
  {
    runner: "rspec",
    failing: ["./spec/calc_spec.rb:4 # Calculator adds", "'./spec/calc_spec.rb[1:2]' # Calculator with zero divides"],
    output: `F.F

Failures:

  1) Calculator adds
     Failure/Error: expect(1 + 1).to eq(3)

       expected: 3
            got: 2

Finished in 0.01 seconds (files took 0.1 seconds to load)
3 examples, 2 failures

Failed examples:

rspec ./spec/calc_spec.rb:4 # Calculator adds
rspec './spec/calc_spec.rb[1:2]' # Calculator with zero divides
`,
  },
  {
    runner: "phpunit",
    failing: [
      "App\\Tests\\DbTest::testOpen",
      "App\\Tests\\CalcTest::testAdd",
      'App\\Tests\\CalcTest::testMany with data set "one" (1, 2)',
    ],
    output: `PHPUnit 10.5.1 by Sebastian Bergmann and contributors.

E.FF                                                                4 / 4 (100%)

There was 1 error:

1) App\\Tests\\DbTest::testOpen
Error: Class "Db" not found

--

There were 2 failures:

1) App\\Tests\\CalcTest::testAdd
Failed asserting that 3 matches expected 2.

/app/tests/CalcTest.php:12

2) App\\Tests\\CalcTest::testMany with data set "one" (1, 2)
Failed asserting that 3 matches expected 2.

--

There was 1 risky test:

1) App\\Tests\\CalcTest::testNothing
This test did not perform any assertions

FAILURES!
Tests: 4, Assertions: 3, Errors: 1, Failures: 2, Risky: 1.
`,
  },
  {
    runner: "dotnet test",
    failing: ["Calc.Tests.AddTests.Adds", 'Calc.Tests.AddTests.Many(a: 1, b: "x")'],
    output: `Starting test execution, please wait...
A total of 1 test files matched the specified pattern.
  Failed Calc.Tests.AddTests.Adds [3 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
  Stack Trace:
     at Calc.Tests.AddTests.Adds() in /app/AddTests.cs:line 9
  Failed Calc.Tests.AddTests.Many(a: 1, b: "x") [< 1 ms]

Failed!  - Failed:     2, Passed:     1, Skipped:     0, Total:     3, Duration: 5 ms - Calc.Tests.dll (net8.0)
`,
  },
  {
    runner: "bun test",
    failing: ["math > subtracts"],
    output: `math.test.ts:
(pass) math > adds [0.12ms]
error: expect(received).toBe(expected)
(fail) math > subtracts [0.50ms]

 1 pass
 1 fail
 2 expect() calls
Ran 2 tests across 1 file. [8.00ms]
`,
  },
]

/** What they print when none fails. */
const passing: readonly Omit<Sample, "failing">[] = [
  { runner: "vitest", output: " ✓ a.test.ts (2 tests) 4ms\n\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n" },
  { runner: "jest", output: "PASS a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\n" },
  { runner: "mocha", output: "  Array\n    ✔ works\n\n  1 passing (5ms)\n" },
  { runner: "TAP", output: "ok 1 - adds\nnot ok 2 - later # TODO\n1..2\n# tests 2\n# pass 1\n# fail 0\n" },
  { runner: "node:test", output: "✔ adds (0.5ms)\nℹ tests 1\nℹ pass 1\nℹ fail 0\n" },
  { runner: "pytest", output: "tests/test_cart.py ....   [100%]\n\n====== 4 passed in 0.02s ======\n" },
  { runner: "unittest", output: "..\nRan 2 tests in 0.001s\n\nOK\n" },
  { runner: "go test", output: "ok  \texample.com/calc\t0.003s\n" },
  { runner: "cargo test", output: "test tests::a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n" },
  { runner: "rspec", output: "..\n\n2 examples, 0 failures\n" },
  { runner: "phpunit", output: "OK (4 tests, 4 assertions)\n" },
  { runner: "dotnet test", output: "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3\n" },
  { runner: "bun test", output: " 2 pass\n 0 fail\n 2 expect() calls\n" },
]

describe("names what failed in the output of", () => {
  it.each(samples.map((sample) => [sample.runner, sample] as const))("%s", (_, { output, failing }) => {
    expect(testRun(output, 1)).toEqual({ isFailed: true, failing })
    // Behind `| tail` the exit code is that of another program.
    expect(testRun(output, 0)).toEqual({ isFailed: true, failing })
  })
})

it.each(passing.map((sample) => [sample.runner, sample] as const))(
  "names nothing where all passed: %s",
  (_, { output }) => {
    expect(testRun(output, 0)).toEqual({ isFailed: false, failing: [] })
  },
)
