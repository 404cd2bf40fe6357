import { describe, expect, it } from 'vitest'
import {
  inEnglish,
  makeCandidate,
  makeGroupInput,
  makePrice,
} from '../../../../test/support/netting/eligibility-input.ts'
import type { AboneGrubu } from '../types.ts'
import { r00t } from './r00t.ts'
import type { EligibilityPrice } from './types.ts'

const check = (prices: EligibilityPrice[], ...groups: (AboneGrubu | null)[]) =>
  inEnglish(
    r00t.check(
      makeGroupInput({
        members: [
          makeCandidate('p', 'production', { aboneGrubu: 'aydinlatma' }),
          ...groups.map((aboneGrubu, i) => makeCandidate(`f${i}`, 'consumption', { aboneGrubu })),
        ],
        prices,
      }),
    ),
  )
const status = (price: Partial<EligibilityPrice>) => check([makePrice('sanayi', price)], 'sanayi').status

describe('R00T regulated price', () => {
  it('passes with an approved price of the month for each subscriber group', () => {
    expect(check([makePrice('sanayi'), makePrice('ticarethane')], 'ticarethane', 'sanayi')).toEqual({
      status: 'pass',
      message: 'Approved prices for 2026-11 exist.',
    })
  })

  it('fails for the subscriber groups without one', () => {
    expect(check([makePrice('sanayi')], 'sanayi', 'ticarethane')).toEqual({
      status: 'fail',
      reasonCode: 'TARIFF_NOT_APPROVED',
      message: 'No approved price of ticarethane for 2026-11: F1.',
      details: { billing_period: '2026-11-01', abone_grubu: ['ticarethane'], facility_ids: ['f1'] },
    })
  })

  it('considers exactly the purposes that netting uses for prices', () => {
    expect(status({ purpose: 'mahsuplasma_lowest_related_tariff' })).toBe('pass')
    expect(status({ purpose: 'customer_bill_active_energy' })).toBe('pass')
    for (const purpose of ['sktt_active_energy', 'system_usage', 'distribution', 'other'] as const) {
      expect(status({ purpose })).toBe('fail')
    }
  })

  it('accepts a row of the month, or an older one that is valid today', () => {
    expect(status({ validFrom: '2026-11-25' })).toBe('pass')
    expect(status({ billingPeriod: '2026-07-01', validFrom: '2026-07-01' })).toBe('pass')
    expect(status({ billingPeriod: '2026-07-01', validFrom: '2026-07-01', validTo: '2026-11-20' })).toBe(
      'pass',
    )
    expect(status({ billingPeriod: '2026-07-01', validFrom: '2026-07-01', validTo: '2026-11-19' })).toBe(
      'fail',
    )
  })

  it('counts a price of another month from its first valid day on', () => {
    const other = { billingPeriod: '2026-12-01' }
    expect(status({ ...other, validFrom: '2026-11-20' })).toBe('pass')
    expect(status({ ...other, validFrom: '2026-11-21' })).toBe('fail')
  })

  it('ignores archived sets, except for a period that is over', () => {
    expect(status({ setStatus: 'archived' })).toBe('fail')
    const prices = [makePrice('sanayi', { setStatus: 'archived' })]
    expect(r00t.check(makeGroupInput({ prices, isPeriodOver: true })).status).toBe('pass')
  })

  it('accepts any of these prices for an unknown subscriber group', () => {
    expect(check([makePrice('mesken')], null).status).toBe('pass')
    expect(check([], null)).toMatchObject({
      status: 'fail',
      message: 'No approved price for 2026-11: F0.',
      details: { abone_grubu: [], facility_ids: ['f0'] },
    })
    expect(check([makePrice('mesken', { purpose: 'other' })], null).status).toBe('fail')
  })

  it('is not applicable without a consumer', () => {
    expect(check([])).toMatchObject({ status: 'not_applicable' })
  })

  it('has the blocking class', () => {
    expect(r00t).toMatchObject({ severity: 'error', isBlocking: true })
  })
})
