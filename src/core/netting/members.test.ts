import { describe, expect, test } from 'vitest'
import { makeMember } from '../../../test/support/netting/netting-input.ts'
import { dayStart, HOUR_MS } from '../../kernel/time.ts'
import {
  firstActiveHour,
  memberHours,
  membershipDays,
  membershipTest,
  rosterOn,
  scenarioOf,
} from './members.ts'
import type { EligibilityStatus, MemberInput } from './types.ts'

const PERIOD = '2026-06-01'
const scenario = (members: MemberInput[], eligibilityStatus: EligibilityStatus = 'valid') =>
  scenarioOf({ billingPeriod: PERIOD, eligibilityStatus, members })
const home = makeMember('home', { aboneGrubu: 'mesken' })
const shop = makeMember('shop', { aboneGrubu: 'ticarethane' })
const plant = makeMember('plant', { role: 'production', aboneGrubu: null })

describe('group members', () => {
  test('are residential with at least one consumer in the period when all of them are homes', () => {
    expect(scenario([home, plant])).toBe('mesken_monthly')
    expect(scenario([home, shop])).toBe('standard_hourly')
    expect(scenario([plant])).toBe('standard_hourly')
    expect(scenario([home, { ...shop, validTo: '2026-06-01' }])).toBe('mesken_monthly')
    expect(scenario([home, { ...shop, validTo: '2026-06-02' }])).toBe('standard_hourly')
    expect(
      scenario([
        { ...home, role: 'mixed' },
        { ...plant, aboneGrubu: 'sanayi' },
      ]),
    ).toBe('mesken_monthly')
  })

  test('of a blocked group are blocked; a group never evaluated counts as valid', () => {
    expect(scenario([home, plant], 'blocked')).toBe('invalid_group_bedelsiz')
    expect(scenario([shop, plant], 'not_checked')).toBe('standard_hourly')
  })
})

test('belong from their first local day, inclusive, to their last, exclusive', () => {
  const member = makeMember('f', { role: 'mixed', validFrom: '2026-06-10', validTo: '2026-06-12' })
  const days = ['2026-06-09', '2026-06-10', '2026-06-11', '2026-06-12']
  expect(days.map((date) => rosterOn(date, [member]).consumers.length)).toEqual([0, 1, 1, 0])
  expect(rosterOn('2026-06-10', [member]).producers).toEqual([member])
  expect(membershipDays('f', [member], PERIOD)).toBe(2)
  expect(membershipDays('home', [home], PERIOD)).toBe(30)
})

test('belong to the hours from local midnight to local midnight', () => {
  const member = makeMember('f', { validFrom: '2026-06-10', validTo: '2026-06-12' })
  const isMember = membershipTest([member])
  const [from, to] = [dayStart('2026-06-10'), dayStart('2026-06-12')]
  const hours = [from - HOUR_MS, from, to - HOUR_MS, to]
  expect(hours.map((hour) => isMember('f', hour))).toEqual([false, true, true, false])
  expect(isMember('g', from)).toBe(false)
})

test('count each hour with a member once', () => {
  const range = { from: dayStart('2026-06-01'), to: dayStart('2026-07-01') }
  const members = [
    makeMember('g', { validFrom: '2026-06-11', validTo: '2026-06-13' }),
    makeMember('f', { validFrom: '2026-06-10', validTo: '2026-06-20' }),
    makeMember('h', { validFrom: '2026-06-19' }),
  ]
  expect(memberHours(members, range)).toBe(21 * 24)
  expect(memberHours(members, { from: range.from, to: dayStart('2026-06-10') })).toBe(0)
})

test('that join inside the window have the balance as of their first hour', () => {
  const window = { from: dayStart('2026-06-09'), to: dayStart('2026-06-20') }
  const member = makeMember('f', { validFrom: '2026-06-15' })
  expect(firstActiveHour('f', [member], window)).toBe(dayStart('2026-06-15'))
  expect(firstActiveHour('home', [home], window)).toBe(window.from)
  expect(firstActiveHour('f', [member], { from: window.from, to: window.from + HOUR_MS })).toBeUndefined()
})

test('that left and joined again have the balance as of the first of these memberships, in any order', () => {
  const window = { from: dayStart('2026-06-09'), to: dayStart('2026-06-20') }
  const early = makeMember('f', { validFrom: '2026-06-10', validTo: '2026-06-12' })
  const late = makeMember('f', { validFrom: '2026-06-15' })
  expect(firstActiveHour('f', [late, early], window)).toBe(dayStart('2026-06-10'))
})

test('have step thresholds for the days on which they consume, not for those on which they only produce', () => {
  const producer = makeMember('f', { role: 'production', validFrom: '2026-06-01', validTo: '2026-06-11' })
  const consumer = makeMember('f', { role: 'consumption', validFrom: '2026-06-11' })
  expect(membershipDays('f', [producer, consumer], PERIOD)).toBe(20)
})
