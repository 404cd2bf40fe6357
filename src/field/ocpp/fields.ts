import { inTenantTx, type TenantTx } from '../../platform/db/tenant.ts'
import { OcppCallError } from './errors.ts'
import { stationInstant } from './readings.ts'
import type { OcppDeps, Station } from './types.ts'

export const INT4_MAX = 2_147_483_647
const CONNECTOR_MAX = 255

/**
 * Checks the range of an integer of a message, which the schemas leave open. Throws
 * PropertyConstraintViolation.
 */
export function integer(value: number, name: string, [min, max] = [0, INT4_MAX]): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new OcppCallError('PropertyConstraintViolation', `${name} must be between ${min} and ${max}`)
}

/** The number of a connector or, in 2.0.1, of an EVSE. */
export const connectorNumber = (value: number, name = 'connectorId'): number =>
  integer(value, name, [0, CONNECTOR_MAX])

/**
 * A register in Wh. A negative one is no reading, but no reason to refuse the transaction that it came with.
 */
export const registerWh = (value: number, name: string): number =>
  integer(value, name, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])

/** Epoch milliseconds of a timestamp. Throws PropertyConstraintViolation. */
export function instant(text: string): number {
  const at = stationInstant(text)
  if (at === undefined) throw new OcppCallError('PropertyConstraintViolation', 'timestamp is not a time')
  return at
}

/** Runs a transaction of the station's tenant. */
export const inStationTx = <T>(
  { database }: Pick<OcppDeps, 'database'>,
  { tenantId }: Pick<Station, 'tenantId'>,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> => inTenantTx(database.kysely, tenantId, work)
