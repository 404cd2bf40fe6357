import { inTenantTx, type TenantTx } from '../../../platform/db/tenant.ts'
import { OcppCallError } from '../errors.ts'
import { stationInstant } from '../readings.ts'
import type { OcppDeps, Station } from '../types.ts'

/** Parts of many messages of 2.0.1, as their schemas let them in. */
export interface Evse {
  readonly id: number
  readonly connectorId?: number
}
export interface IdToken {
  readonly idToken: string
  readonly type: string
}

const INT4_MAX = 2_147_483_647
const EVSE_MAX = 255

/** The schemas leave integers open at both ends. */
export function integer(value: number, name: string, max: number = INT4_MAX): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value
  throw new OcppCallError('PropertyConstraintViolation', `${name} must be between 0 and ${max}`)
}

export const evseId = (value: number): number => integer(value, 'the number of an EVSE', EVSE_MAX)

/** Epoch milliseconds. */
export function instant(text: string): number {
  const at = stationInstant(text)
  if (at === undefined) throw new OcppCallError('PropertyConstraintViolation', 'this is not a time')
  return at
}

/** A transaction of the station's tenant. */
export const inStationTx = <T>(
  { database }: OcppDeps,
  { tenantId }: Station,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> => inTenantTx(database.kysely, tenantId, work)
