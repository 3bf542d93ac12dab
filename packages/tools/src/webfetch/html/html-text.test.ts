import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { htmlText } from "./html-text.ts"
import { markdownStyle, plainStyle, type TextStyle } from "./style.ts"

const url = new URL("https://docs.example/guide/start")

async function converted(html: string, style: TextStyle, signal = new AbortController().signal) {
  return htmlText(html, { url, style, signal })
}
const markdown = async (html: string) => (await converted(html, markdownStyle)).text
const plain = async (html: string) => (await converted(html, plainStyle)).text

it.each(["reference", "article"])("writes the page %s as it is expected", async (name) => {
  const html = await readFile(new URL(`../../../test/fixtures/pages/${name}.html`, import.meta.url), "utf8")
  await expect(await markdown(html)).toMatchFileSnapshot(`../../../test/fixtures/pages/${name}.md`)
  await expect(await plain(html)).toMatchFileSnapshot(`../../../test/fixtures/pages/${name}.txt`)
})

it.each([
  ["white space", "<p>a\n  b <b> c </b> d", "a b **c** d"],
  ["marks beside words", "un<b>believ</b>able<i></i>", "un**believ**able"],
  ["marks that overlap", "<b>a <i>b</b> c</i> d", "**a *b*** c d"],
  ["the same mark twice", "<b>a <strong>b</strong></b>", "**a b**"],
  ["a mark around blocks", "<b><p>a<p>b</b>", "**a**\n\n**b**"],
  ["powers", "10<sup>6</sup> H<sub>2</sub>O", "10<sup>6</sup> H<sub>2</sub>O"],
  ["line breaks", "a<br> b<br><br>c<br>", "a  \nb\n\nc"],
  ["a mark that ends after a line break", "<b>a<br></b>b", "**a**  \nb"],
  ["code", "<code>a</code> and <code>`b`</code>", "`a` and `` `b` ``"],
  ["code within a mark", "<b><code> a </code>b</b>", "**`a` b**"],
  [
    "signs that mean something",
    "*a* _b_ c_d [e](f) `g` &lt;h> 1 < 2 C:\\x",
    "\\*a\\* \\_b\\_ c_d [e\\](f) \\`g\\` \\<h> 1 < 2 C:\\x",
  ],
  ["the start of a block", "<p># a<p>- b<p>1. c<p>> d<p>1.5 e", "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n1.5 e"],
  ["a heading of several lines", "<h2>a<br>b <i>c</i></h2>d", "## a b *c*\n\nd"],
  [
    "links",
    "<a href=../x?y#z>a</a> <a href=//b.example>b</a>",
    "[a](https://docs.example/x?y#z) [b](https://b.example/)",
  ],
  ["addresses with parentheses", "<a href='/a (b)'>x</a>", "[x](https://docs.example/a%20%28b%29)"],
  [
    "links that lead nowhere",
    "<a href=#top>a</a> <a href=javascript:x()>b</a> <a href=data:,x>c</a> <a>d</a>",
    "a b c d",
  ],
  ["a base", "<base href=/other/><base href=/no/><a href=x>a</a>", "[a](https://docs.example/other/x)"],
  ["a base that is none", "<base href=javascript:x><a href=x>a</a>", "[a](https://docs.example/guide/x)"],
  ["empty links", "<a href=x><svg></svg></a>a", "a"],
  [
    "links that are not closed",
    "<a href=x>a <a href=y>b</a>",
    "[a](https://docs.example/guide/x) [b](https://docs.example/guide/y)",
  ],
  [
    "a link around blocks",
    "<a href=/x><h3>a</h3><p>b</a>",
    "### [a](https://docs.example/x)\n\n[b](https://docs.example/x)",
  ],
  [
    "images",
    "<img src=a.png alt='a [b]'><img src=b.png><img src=data:x alt=c>",
    "![a b](https://docs.example/guide/a.png)c",
  ],
  [
    "a linked image",
    "<a href=/x><img src=/a.png alt=a></a>",
    "[![a](https://docs.example/a.png)](https://docs.example/x)",
  ],
  ["lists", "<ul><li>a<li><p>b<p>c<ul><li>d</ul></ul>e", "- a\n- b\n\n  c\n  - d\n\ne"],
  [
    "numbered lists",
    "<ol start=9><li>a<li>b<ul><li>c</ul><li value=20>d<li>e</ol>",
    "9. a\n10. b\n    - c\n20. d\n21. e",
  ],
  ["tasks", "<ul><li><input type=checkbox> a<li><input type=checkbox checked>b</ul>", "- [ ] a\n- [x] b"],
  ["items without a list", "<li>a<li>b", "- a\n\n- b"],
  ["empty items", "<ul><li><li>a<li></ul><p>b", "- a\n\nb"],
  ["quotes", "<blockquote>a<p>b<blockquote>c</blockquote></blockquote>d", "> a\n>\n> b\n>\n> > c\n\nd"],
  ["definitions", "<dl><dt>a<dd>b<p>c</dl>", "a\n: b\n\n  c"],
  ["a code block", "<pre>\n\n a &lt;\n\n  b \n</pre>", "```\n\n a <\n\n  b\n```"],
  ["fences in code", "<pre>```\n````x</pre>", "`````\n```\n````x\n`````"],
  ["a code block within a list", "<ol><li>a<pre>b\n\n c</pre></ol>", "1. a\n\n   ```\n   b\n\n    c\n   ```"],
  ["the language of code", "<div class='highlight-python x'><div><pre>a</pre></div></div>", "```python\na\n```"],
  ["no language", "<pre class='lang-none'><code class='hljs language-text'>a</code></pre>", "```\na\n```"],
  ["code with an element for each line", "<pre><code><div>a</div><div>b</div><br>c</code></pre>", "```\na\nb\nc\n```"],
  ["line numbers", "<table><tr><td class=gutter><pre>1</pre><td><pre>a</pre></table>", "```\na\n```"],
  [
    "a table",
    "<table><tr><th>a<th>b|c<tr><td>d<br>e<td><code>f|g</code></table>",
    "| a | b\\|c |\n| --- | --- |\n| d<br>e | `f\\|g` |",
  ],
  ["a table without a header", "<table><tr><td>a<td>b<tr><td>c</table>", "|  |  |\n| --- | --- |\n| a | b |\n| c |  |"],
  [
    "cells that span",
    "<table><tr><th>a<th>b<th>c<tr><td rowspan=2>d<td colspan=2>e<tr><td>f<td>g</table>",
    "| a | b | c |\n| --- | --- | --- |\n| d | e |  |\n|  | f | g |",
  ],
  ["a table for layout", "<table><tr><td><h2>a</h2><td><p>b</table>", "## a\n\nb"],
  ["a table of one column", "<table><tr><td>a<tr><td>b</table>", "a\n\nb"],
  [
    "tables within tables",
    "<table><tr><td><table><tr><td>a<td>b</table><td>c</table>",
    "|  |  |\n| --- | --- |\n| a | b |\n\nc",
  ],
  ["tables at any depth in order", `${"<table><tr><td>".repeat(9)}a${"<td>b</table>".repeat(2)}c`, "a\n\nb\n\nb\n\nc"],
  ["cells without a table", "<td>a<td>b", "a\n\nb"],
  [
    "what is not content",
    "<nav>a</nav><script>b</script><style>c</style><template>d</template><noscript>e</noscript><button>f</button>g",
    "g",
  ],
  [
    "what is hidden",
    "<p hidden>a</p><p style='color:red; display : none'>b</p><div role=navigation>c</div><p hidden=until-found>d",
    "d",
  ],
  ["signs beside headings", "<h1>a<a class=headerlink href=#a>¶</a><a class=anchor href=#a>\u200B</a></h1>", "# a"],
  ["the title where no heading says it", "<title>a &amp;\n b</title><p>c", "# a & b\n\nc"],
  ["no title beside a heading", "<title>a</title><h1>b</h1>", "# b"],
  ["a picture's title", "<svg><title>a</title></svg>b", "b"],
  ["formulas", "<p>so <math alttext='x^2'><mi>x</mi></math> is", "so x^2x is"],
  ["rules", "a<hr>b", "a\n\n---\n\nb"],
  ["details", "<details><summary>a</summary>b</details>", "a\n\nb"],
  ["characters by name and number", "&eacute;&#x2014;&nbsp;&hellip;&amp;lt;", "é—\u00a0…&lt;"],
  ["comments, also one without end", "a<!-- b --> c<!-- d", "a c"],
  ["no end tags at all", "<ul><li>a<li>b<blockquote>c<pre>d", "- a\n- b\n\n  > c\n  >\n  > ```\n  > d\n  > ```"],
])("writes %s", async (_, html, expected) => {
  expect(await markdown(html)).toBe(expected)
})

it("writes plain text without markup", async () => {
  const html =
    "<h2>a</h2><p>b <b>c</b> <a href=x>d</a> <code>e_f</code> *g* 10<sup>6</sup><ul><li>h</ul><pre>i\n j</pre><table><tr><th>k<th>l<tr><td>m<td>n</table>"
  expect(await plain(html)).toBe("a\n\nb c d e_f *g* 10^6\n\n- h\n\ni\n j\n\nk\tl\nm\tn")
})

const SIZE = 2 ** 20
const full = (piece: string) => piece.repeat(SIZE / piece.length)

it.each(["<div>", "<b>", "<ul><li>", "<table><tr><td>", "<blockquote>", "<a href=x><i>"])(
  "refuses a page that nests %s without end",
  async (piece) => {
    await expect(markdown(full(piece))).rejects.toThrow("nest deeper than 1000 levels")
  },
)

it.each([
  ["quotes around many lines", "<blockquote>".repeat(500) + full("x<br>") + full("x<br>")],
  ["a long base", `<base href="https://x.example/${"b".repeat(1900)}/">${full("<a href=a>x</a>")}`],
])("cuts a page that grows: %s", async (_, html) => {
  const { text, isCut } = await converted(html, markdownStyle)
  expect({ isCut, length: text.length }).toEqual({ isCut: true, length: 5 * SIZE })
})

it.each([
  "<",
  "<a ",
  "<!--",
  "&amp",
  "`",
  "*_[",
  "</p>",
  " \n",
  "<td colspan=50 rowspan=50>x",
  "<code>`</code>",
  "\u00a0",
])("reads a page full of %j", async (piece) => {
  await expect(converted(full(piece), markdownStyle)).resolves.toHaveProperty("text")
})

it("lets others have their turn, and stops when it is aborted meanwhile", async () => {
  const abort = new AbortController()
  const reason = new Error("enough")
  setImmediate(() => abort.abort(reason))
  await expect(converted(full("<p>a "), markdownStyle, abort.signal)).rejects.toBe(reason)
})
