import type { Reading } from './readings.ts'

/** A recorded replacement of a meter, for one register. The values are whole millionths of a kWh (or kvarh). */
export interface MeterChange {
  /** Epoch milliseconds. */
  readonly at: number
  /** The last value of the old register. */
  readonly oldEnd: number
  /** The first value of the new register. */
  readonly newStart: number
}

/**
 * Adds recorded meter changes to the readings of a register. The energy over a change is exact: the old register grows
 * up to its end, and the new one grows from its beginning. A reading at the instant of a change is replaced by it.
 *
 * Both lists ascend. The changes may reach beyond the readings: the third reading on either side of a range decides its
 * hours (NEIGHBOUR_READINGS), and a change can only be one more reading among them.
 */
export function applyMeterChanges(
  readings: readonly Reading[],
  changes: readonly MeterChange[],
): readonly Reading[] {
  if (changes.length === 0) return readings
  const instants = new Set(changes.map(({ at }) => at))
  const merged: Reading[] = [
    ...readings.filter(({ at }) => !instants.has(at)),
    ...changes.map(({ at, oldEnd, newStart }): Reading => ({ at, value: oldEnd, newMeterStart: newStart })),
  ]
  return merged.sort((a, b) => a.at - b.at)
}
