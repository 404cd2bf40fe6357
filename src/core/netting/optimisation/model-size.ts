/** Factors of a model at most; what the memory and the time of a solver grow with. A larger one is refused. */
export const MODEL_FACTORS_MAX = 400_000

/** What the size of the model of an assignment or of transfers depends on. An allocation is solved in parts. */
export interface ModelSize {
  readonly groups: number
  /** Of each group. */
  readonly hours: number
  /** Members of all groups together. */
  readonly members: number
  /** Of them those that an assignment may move. */
  readonly movable: number
}

const HOURS_OF_DAY = 24
/** Working days and others. */
const KINDS_OF_DAY = 2
/** The least hours of a month. */
const HOURS_OF_MONTH = 28 * HOURS_OF_DAY

const monthsOf = (hours: number): number => Math.ceil(hours / HOURS_OF_MONTH)

/** Sums of an assignment when hours of one kind are summed. */
const kindsOf = (hours: number): number => Math.min(hours, monthsOf(hours) * HOURS_OF_DAY * KINDS_OF_DAY)

/** Factors of an assignment at most: each facility in each group that it can be in has four in each sum. */
function assignmentFactors({ groups, members, movable }: ModelSize, sums: number): number {
  const parties = movable * groups + members - movable
  const ofFacility = 2 * members + 5
  return parties * (4 * sums + ofFacility) + groups * sums * 6
}

/** Whether an assignment sums hours of one kind, because the model of all hours could be too large. */
export const isAssignmentSummed = (size: ModelSize): boolean =>
  assignmentFactors(size, size.hours) > MODEL_FACTORS_MAX

export const factorsOfAssignment = (size: ModelSize): number =>
  assignmentFactors(size, isAssignmentSummed(size) ? kindsOf(size.hours) : size.hours)

/** Parts of a month in the model of transfers: weeks, and what is left of the month. */
const PARTS_OF_MONTH = 5

/** Factors of limit transfers at most: an account has ten in each month, and ten in each part of it. */
export const factorsOfTransfers = ({ groups, hours, members }: ModelSize): number =>
  monthsOf(hours) * (10 * members + PARTS_OF_MONTH * (10 * members + groups))

/** What the size of the model of a dispatch depends on. */
export interface DispatchSize {
  readonly hours: number
  readonly batteries: number
  readonly members: number
  /** Kinds of members with a bill price of their own; a price step has two. */
  readonly billKinds: number
}

/** Factors of a battery in an hour: its flows and their sum, and the energy and consumption that it changes. */
const FACTORS_OF_BATTERY = 12

/** Factors of a dispatch at most: the consumers without a battery are summed by price in each hour. */
export const factorsOfDispatch = ({ hours, batteries, members, billKinds }: DispatchSize): number =>
  hours * (2 * Math.min(members, 2 * billKinds) + FACTORS_OF_BATTERY * batteries + 4) + batteries
