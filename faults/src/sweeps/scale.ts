import type { PlanSize } from "../workload/plan.ts"

/** How much is done. Every sweep hits every kind of point at either scale. */
export interface Scale {
  readonly size: PlanSize
  /** Of the system calls of a kind, every so many-th is hit. */
  readonly callStep: number
  /** The same for those that a server is spoken to with, which are most of them not about the storage. */
  readonly socketStep: number
  /** Of the calls that are made to fail, every so many-th. */
  readonly failureStep: number
  /** In pages of 4 KB: the steps in which a full disk is given more room. */
  readonly fullDiskStep: number
  readonly randomKills: number
  /** Of writes in a row, the power is cut after the first and every so many-th. */
  readonly stateStep: number
  /** Of the points at which the power is cut, every so many-th. */
  readonly pointStep: number
  /** At each of these points, the states in which every change that was not synced has a fate of its own. */
  readonly mixedStates: number
  /** Of what one power cut leaves, the states in which recovery is cut off from power, too. */
  readonly firstCuts: number
  /** Of the calls by which a store recovers, every so many-th is followed by the second power cut. */
  readonly secondCutStep: number
  readonly writers: number
  readonly writesPerWriter: number
  readonly chaosMilliseconds: number
  readonly outages: number
  /** Of the faults of a model's answers at a place, every so many-th. */
  readonly spoiltStep: number
  /** Answers of models that are cut. */
  readonly randomCuts: number
  /** Bytes of the longest event of a model's stream. */
  readonly longestEvent: number
  readonly concurrency: number
}

export const reduced: Scale = {
  size: "small",
  callStep: 40,
  socketStep: 40,
  failureStep: 130,
  fullDiskStep: 4,
  randomKills: 5,
  stateStep: 80,
  pointStep: 5,
  mixedStates: 2,
  firstCuts: 6,
  secondCutStep: 14,
  writers: 16,
  writesPerWriter: 20,
  chaosMilliseconds: 5_000,
  outages: 2,
  spoiltStep: 20,
  randomCuts: 60,
  longestEvent: 1_000_000,
  concurrency: 2,
}

export const full: Scale = {
  size: "large",
  callStep: 1,
  socketStep: 1,
  failureStep: 1,
  fullDiskStep: 1,
  randomKills: 500,
  stateStep: 1,
  pointStep: 1,
  mixedStates: 8,
  firstCuts: 60,
  secondCutStep: 1,
  writers: 16,
  writesPerWriter: 500,
  chaosMilliseconds: 60_000,
  outages: 10,
  spoiltStep: 1,
  randomCuts: 1_000,
  longestEvent: 100_000_000,
  concurrency: 2,
}
