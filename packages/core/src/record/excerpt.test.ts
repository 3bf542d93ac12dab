import { expect, it } from "vitest"
import { excerpt } from "./excerpt.ts"

const filler = (count: number) => "before it ".repeat(count)

it("cuts around the first of several places with the word", () => {
  const text = `${"before ".repeat(50)}needle${" after".repeat(50)} needle`
  const cut = excerpt(text, "NEEDLE", 40)
  expect(cut).toContain("needle after")
  expect(cut).toHaveLength(42)
})

it("shows the passage with the most words of the query", () => {
  const text = `The timeout is set here. ${filler(500)}gateway timeout retries: 7 ${filler(500)}gateway`
  expect(excerpt(text, "timeout gateway retries", 60)).toContain("gateway timeout retries: 7")
  expect(excerpt(text, "retries timeout", 60)).toContain("timeout retries: 7")
})

it("counts each word of the query once, however often it is repeated", () => {
  const text = `${"cache ".repeat(40)}${filler(50)}the cache key is zebra ${filler(50)}`
  expect(excerpt(text, "cache zebra", 50)).toContain("the cache key is zebra")
})

it("counts a word only where the query's word begins it", () => {
  const text = `concatenate the rest ${filler(50)} the cat sleeps ${filler(50)}`
  expect(excerpt(text, "cat", 30)).toContain("cat sleeps")
})

it("finds words whatever their case and composition, and counts characters", () => {
  const text = `${"😀 ".repeat(300)}CAFE\u0301 İstanbul${" 😀".repeat(300)}`
  const cut = excerpt(text, "café", 20)
  expect(cut).toContain("CAFE\u0301")
  expect(Array.from(cut)).toHaveLength(22)
})

it("returns a short text whole, on one line, and the beginning of one without the words", () => {
  expect(excerpt("short\n  text", "text")).toBe("short text")
  expect(excerpt("😀".repeat(200), "x", 10)).toBe(`${"😀".repeat(10)}…`)
})

it("shows a word that is longer than the excerpt from its start", () => {
  const cut = excerpt(`${filler(20)}${"x".repeat(100)} ${filler(20)}`, "x", 10)
  expect(cut).toBe(`…${"x".repeat(10)}…`)
})

it("is well-formed Unicode, whatever the text", () => {
  const text = `${"\ud83d".repeat(100)} needle ${"\ude00".repeat(100)}${"😀".repeat(100)}`
  for (const length of [5, 20, 100, 150]) expect(excerpt(text, "needle", length).isWellFormed()).toBe(true)
})

it("takes a long text in which every word matches", () => {
  const text = "ab ".repeat(80_000)
  const query = Array.from({ length: 200 }, (_, at) => `${"ab".slice(0, 1 + (at % 2))}${at}`).join(" ")
  expect(excerpt(text, `${query} ab`, 300)).toHaveLength(301)
})
