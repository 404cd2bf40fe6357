import assert from 'node:assert/strict'
import { decimalText } from '../../../kernel/decimal.ts'
import { AppError, conflict, unprocessable } from '../../../kernel/errors.ts'
import { parseLocalDate, parsePeriod } from '../../../kernel/time.ts'
import type { SystemTx } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { TARIFF_TEXTS } from './messages.ts'
import type { CreatePrice, CreatePriceSet, UpdatePriceSet } from './schema.ts'
import * as tariffs from './store.ts'

/** The user and the time of a write. Creation and approval store both. */
export interface Actor {
  /** Null for a loader that acts for no user. */
  readonly userId: string | null
  readonly now: number
}

/** Throws 404 with the code of this area. */
export function foundSet<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError(404, 'NOT_FOUND', TARIFF_TEXTS.PRICE_SET_NOT_FOUND())
  return row
}

export const immutable = () => conflict('TARIFF_SET_APPROVED_IMMUTABLE', TARIFF_TEXTS.PRICE_SET_IMMUTABLE())

export const createSet = (tx: SystemTx, body: CreatePriceSet, { userId, now }: Actor) =>
  tariffs.insertSet(tx, {
    billing_period: decodedPeriod(body.billing_period),
    name: body.name ?? null,
    source_note: body.source_note ?? null,
    created_by: userId,
    created_at: new Date(now),
  })

/**
 * Updates the metadata of a draft, or archives an approved set. An unchanged status is not a transition. The prices
 * of a draft move to its new month with it.
 */
export async function updateSet(tx: SystemTx, id: string, body: UpdatePriceSet) {
  const set = foundSet(await tariffs.lockSet(tx, id))
  const { approval_status: status = set.approval_status, billing_period: period } = body
  const isTransition = status !== set.approval_status
  const metadata = {
    ...(period !== undefined && { billing_period: decodedPeriod(period) }),
    ...(body.name !== undefined && { name: body.name }),
    ...(body.source_note !== undefined && { source_note: body.source_note }),
  }
  if (isTransition && !(set.approval_status === 'approved' && status === 'archived')) {
    const text = TARIFF_TEXTS.PRICE_SET_TRANSITION({ from: set.approval_status, to: status })
    throw conflict('TARIFF_INVALID_TRANSITION', text)
  }
  const changesMetadata = Object.keys(metadata).length > 0
  if (changesMetadata && set.approval_status !== 'draft') throw immutable()
  if (!isTransition && !changesMetadata) return set
  if (metadata.billing_period !== undefined) await tariffs.movePrices(tx, id, metadata.billing_period)
  return tariffs.updateSet(tx, id, { ...metadata, approval_status: status })
}

export async function approveSet(tx: SystemTx, id: string, { userId, now }: Actor) {
  const set = foundSet(await tariffs.lockSet(tx, id))
  if (set.approval_status !== 'draft') {
    throw conflict('TARIFF_ALREADY_APPROVED', TARIFF_TEXTS.PRICE_SET_APPROVED_ALREADY())
  }
  return tariffs.updateSet(tx, id, {
    approval_status: 'approved',
    approved_by: userId,
    approved_at: new Date(now),
  })
}

export async function deleteSet(tx: SystemTx, id: string): Promise<void> {
  const set = foundSet(await tariffs.lockSet(tx, id))
  if (set.approval_status !== 'draft') {
    throw conflict('TARIFF_SET_NOT_DELETABLE', TARIFF_TEXTS.PRICE_SET_NOT_DRAFT())
  }
  await tariffs.removeSet(tx, id)
}

/** Adds rows to a draft, all or none. Returns the rows in the given order. */
export async function addPrices(tx: SystemTx, setId: string, bodies: readonly CreatePrice[], now: number) {
  const set = foundSet(await tariffs.lockSet(tx, setId))
  const rows = bodies.map((body) => newPrice(setId, body, now))
  if (set.approval_status !== 'draft') throw immutable()
  const other = rows.find((row) => row.billing_period !== set.billing_period)
  if (other) {
    const periods = { price_period: other.billing_period, set_period: set.billing_period }
    throw unprocessable('TARIFF_PERIOD_MISMATCH', TARIFF_TEXTS.TARIFF_PRICE_PERIOD_MISMATCH(periods))
  }
  return rows.length === 0 ? [] : tariffs.insertPrices(tx, rows)
}

export async function addPrice(tx: SystemTx, setId: string, body: CreatePrice, now: number) {
  const [row] = await addPrices(tx, setId, [body], now)
  assert(row, 'one row in, one row out')
  return row
}

export function newPrice(setId: string, body: CreatePrice, now: number): tariffs.NewPrice {
  const validFrom = parseLocalDate(body.valid_from)
  const validTo = body.valid_to == null ? null : parseLocalDate(body.valid_to)
  assert(validFrom !== undefined && validTo !== undefined, 'the schema let only dates in')
  if (validTo !== null && validTo < validFrom) {
    throw invalidInput(['body', 'valid_to'], 'must not lie before valid_from')
  }
  return {
    price_set_id: setId,
    valid_from: validFrom,
    valid_to: validTo,
    billing_period: decodedPeriod(body.billing_period),
    abone_grubu: body.abone_grubu,
    gerilim_seviyesi: body.gerilim_seviyesi ?? null,
    tariff_code: body.tariff_code ?? null,
    tariff_class: body.tariff_class ?? null,
    price_purpose: body.price_purpose,
    time_segment: body.time_segment ?? null,
    step_no: body.step_no ?? null,
    unit: body.unit ?? null,
    price: decimalText(body.price),
    source_note: body.source_note ?? null,
    created_at: new Date(now),
  }
}

export function decodedPeriod(text: string): string {
  const period = parsePeriod(text)
  assert(period, 'the schema let only periods in')
  return period
}
