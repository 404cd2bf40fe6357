import {
  decimalText,
  formatKwh,
  formatPrice,
  parseKwh,
  parsePrice,
  type TryPerKwh,
  wh,
} from '../../../kernel/decimal.ts'
import type { ScenarioChange } from '../scenarios/index.ts'

/** The unit of the size of a change: a factor with six decimals, or a power or capacity with three. */
export type SizeUnit = 'factor' | 'kW' | 'kWh'

/** Undefined for a change that has no size. */
export function sizeUnitOf({ type, profile }: ScenarioChange): SizeUnit | undefined {
  switch (type) {
    case 'scale_plant':
    case 'scale_load':
      return 'factor'
    case 'add_battery':
      return 'kWh'
    case 'add_plant':
    case 'add_load':
      return profile?.kind === 'facility' ? 'factor' : profile?.kind === 'national_solar' ? 'kW' : undefined
    default:
      return undefined
  }
}

/** The size as the core counts it: millionths, W or Wh. Throws RangeError for more decimals than the unit has. */
export const parseSize = (unit: SizeUnit, value: number | string): bigint =>
  unit === 'factor' ? parsePrice(decimalText(value)) : parseKwh(decimalText(value))

export const formatSize = (unit: SizeUnit, size: bigint): string =>
  unit === 'factor' ? formatPrice(size as TryPerKwh) : formatKwh(wh(size))

/** Units of the core in one unit of the size. */
export const unitsOf = (unit: SizeUnit): bigint => (unit === 'factor' ? 1_000_000n : 1_000n)
