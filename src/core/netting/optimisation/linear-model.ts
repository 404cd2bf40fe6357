import { at } from '../../../kernel/checked.ts'

/** A column and its factor. A row names each column at most once. */
export type Term = readonly [column: number, factor: number]

interface Row {
  readonly lower: number
  readonly upper: number
  readonly terms: readonly Term[]
}

/**
 * A linear model, or a mixed-integer one: maximise offset + costs · x, where lower ≤ x ≤ upper and every row is within
 * its limits. Plain numbers, kWh and lira, so that any solver can take it.
 */
export interface LinearModel {
  readonly offset: number
  readonly costs: readonly number[]
  readonly lower: readonly number[]
  readonly upper: readonly number[]
  readonly isInteger: readonly boolean[]
  readonly rows: readonly Row[]
}

export interface SolverResult {
  /** `limit`: ended by its time limit, with or without a solution. */
  readonly status: 'optimal' | 'limit' | 'infeasible'
  /** By column; undefined without a solution. */
  readonly values: readonly number[] | undefined
  /** No solution has a higher objective, within the tolerance of the solver; Infinity: nothing is proven. */
  readonly bound: number
}

/** Solves a model; the caller chooses the solver and its limits. */
export type Solve = (model: LinearModel) => SolverResult

interface Column {
  readonly cost?: number
  readonly lower?: number
  readonly upper: number
  readonly isInteger?: boolean
}

/** Collects the columns and rows of a model. */
export class ModelBuilder {
  private offset = 0
  private readonly costs: number[] = []
  private readonly lower: number[] = []
  private readonly upper: number[] = []
  private readonly isInteger: boolean[] = []
  private readonly rows: Row[] = []

  /** Adds a column and returns its position. */
  column({ cost = 0, lower = 0, upper, isInteger = false }: Column): number {
    this.costs.push(cost)
    this.lower.push(lower)
    this.upper.push(upper)
    this.isInteger.push(isInteger)
    return this.costs.length - 1
  }

  addCost(column: number, cost: number): void {
    this.costs[column] = at(this.costs, column) + cost
  }

  upperOf(column: number): number {
    return at(this.upper, column)
  }

  atMost(terms: readonly Term[], upper: number): void {
    this.rows.push({ lower: Number.NEGATIVE_INFINITY, upper, terms })
  }

  exactly(terms: readonly Term[], value: number): void {
    this.rows.push({ lower: value, upper: value, terms })
  }

  constant(value: number): void {
    this.offset += value
  }

  build(): LinearModel {
    const { offset, costs, lower, upper, isInteger, rows } = this
    return { offset, costs, lower, upper, isInteger, rows }
  }
}

/** The number of factors in the rows: what the memory and the time of a solver grow with. */
export const factorCount = ({ rows }: Pick<LinearModel, 'rows'>): number =>
  rows.reduce((count, { terms }) => count + terms.length, 0)
