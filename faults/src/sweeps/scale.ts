import type { PlanSize } from "../workload/plan.ts"

/** The size of the sweeps. Every sweep covers every kind of point at either scale. */
export interface Scale {
  readonly size: PlanSize
  /** Every n-th system call of a kind is a point. */
  readonly callStep: number
  /** Like `callStep`, for calls to a server, most of which are not about the storage. */
  readonly socketStep: number
  /** Every n-th call is made to fail. */
  readonly failureStep: number
  /** Pages of 4 KB by which a full disk is enlarged in each step. */
  readonly fullDiskStep: number
  readonly randomKills: number
  /** In a series of writes, the power is cut after the first one and every n-th one. */
  readonly stateStep: number
  /** Every n-th point of power cuts is used. */
  readonly pointStep: number
  /** Number of states per point in which each unsynced change survives or not by itself. */
  readonly mixedStates: number
  /** Number of states after the first power cut in which the recovery is cut too. */
  readonly firstCuts: number
  /** The second power cut follows every n-th call of the recovery. */
  readonly secondCutStep: number
  readonly writers: number
  readonly writesPerWriter: number
  readonly chaosMilliseconds: number
  readonly outages: number
  /** Every n-th fault of a model's answer per position is used. */
  readonly spoiltStep: number
  /** Number of answers that are cut at random. */
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
