import type { Highs } from 'highs'
import type { LinearModel, Solve, SolverResult } from '../../../core/netting/optimisation/linear-model.ts'

const PAGE_BYTES = 64 * 1024

export interface SolverLimits {
  /** Of one model. */
  readonly timeMs: number
  readonly memoryMb: number
}

/**
 * Loads HiGHS, a solver of linear and mixed-integer models, as WebAssembly. It computes synchronously, so it belongs
 * into a thread of its own: there the memory limit, which replaces `WebAssembly.Memory.prototype.grow`, concerns
 * nothing else. Beyond the limit the solver aborts, and its thread is of no further use.
 */
export async function loadSolver({ timeMs, memoryMb }: SolverLimits): Promise<Solve> {
  limitMemory(memoryMb * 1024 * 1024)
  // The types of the package describe its CommonJS form, where the loader is a member of the default export.
  const loaded = await import('highs')
  const highs = await (loaded.default as unknown as () => Promise<Highs>)()
  const { optimal, infeasible, unboundedOrInfeasible } = highs.constants.modelStatus
  return (model) =>
    highs.withModel(toHighs(model, highs), (solver): SolverResult => {
      if (model.costs.length === 0) return { status: 'optimal', values: [], bound: model.offset }
      solver.options.set({ output_flag: false, time_limit: timeMs / 1_000, mip_rel_gap: 0, mip_abs_gap: 0 })
      solver.run()
      const status = solver.getModelStatus()
      if (status === infeasible || status === unboundedOrInfeasible)
        return { status: 'infeasible', values: undefined, bound: Number.NEGATIVE_INFINITY }
      const isMip = model.isInteger.includes(true)
      const isOptimal = status === optimal
      const hasSolution =
        solver.info.get('primal_solution_status') === highs.constants.solutionStatus.feasible
      const proven = isMip ? Number(solver.info.get('mip_dual_bound')) : solver.getObjectiveValue()
      return {
        status: isOptimal ? 'optimal' : 'limit',
        values: hasSolution ? [...solver.getSolution().colValue] : undefined,
        // A linear model has a bound when it is solved; a mixed-integer one has one at any time.
        bound: isOptimal || isMip ? proven : Number.POSITIVE_INFINITY,
      }
    })
}

/** The part of WebAssembly that is used here; the types of Node.js 20 leave it out. */
interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}
interface MemoryGlobal {
  readonly WebAssembly: { readonly Memory: { readonly prototype: Memory } }
}

function limitMemory(bytes: number): void {
  const { prototype } = (globalThis as unknown as MemoryGlobal).WebAssembly.Memory
  const { grow } = prototype
  prototype.grow = function limitedGrow(this: Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES > bytes)
      throw new RangeError('the memory limit is reached')
    return grow.call(this, pages)
  }
}

function toHighs({ offset, costs, lower, upper, isInteger, rows }: LinearModel, highs: Highs) {
  const starts = [0]
  const indices: number[] = []
  const values: number[] = []
  for (const { terms } of rows) {
    for (const [column, factor] of terms) {
      indices.push(column)
      values.push(factor)
    }
    starts.push(indices.length)
  }
  const [numCols, numRows] = [costs.length, rows.length]
  const { continuous, integer } = highs.constants.variableType
  return {
    ...{ numCols, numRows, offset, sense: highs.constants.objectiveSense.maximize },
    ...{ colCost: [...costs], colLower: [...lower], colUpper: [...upper] },
    rowLower: rows.map((row) => (Number.isFinite(row.lower) ? row.lower : -highs.infinity)),
    rowUpper: rows.map((row) => (Number.isFinite(row.upper) ? row.upper : highs.infinity)),
    matrix: { format: 'csr' as const, numCols, numRows, starts, indices, values },
    ...(isInteger.includes(true) && { integrality: isInteger.map((one) => (one ? integer : continuous)) }),
  }
}
