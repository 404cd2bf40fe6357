import { expect, test } from 'vitest'
import { makeAssignment, makeFacts, makeMember } from '../../../test/support/netting/netting-input.ts'
import { wh } from '../../kernel/decimal.ts'
import { HOUR_MS, hoursOf, periodStart } from '../../kernel/time.ts'
import { needsStepState, splitSteps, stepStatesBefore, stepThreshold, trackSteps } from './steps.ts'

const PERIOD = '2026-06-01'
const START = periodStart(PERIOD)
const shop = makeMember('shop', { aboneGrubu: 'ticarethane' })

test('homes and shops have price steps, producers and other groups have none', () => {
  expect(needsStepState(shop)).toBe(true)
  expect(needsStepState({ ...shop, aboneGrubu: 'sanayi' })).toBe(false)
  expect(needsStepState({ ...shop, role: 'production' })).toBe(false)
})

test('the price step threshold counts the calendar days of membership in the period', () => {
  const home = makeMember('home', { aboneGrubu: 'mesken', validFrom: '2026-06-16' })
  expect(stepThreshold(shop, [shop], PERIOD)).toBe(900_000n)
  expect(stepThreshold(shop, [shop], '2026-07-01')).toBe(930_000n)
  expect(stepThreshold(home, [home], PERIOD)).toBe(120_000n)
  expect(stepThreshold({ ...shop, aboneGrubu: 'sanayi' }, [shop], PERIOD)).toBeUndefined()
})

test('netting reduces the most expensive step first, and the high one where the month to date is unknown', () => {
  const split = (matched: bigint, consumed: bigint, room: bigint | null) =>
    splitSteps(wh(matched), wh(consumed), room === null ? null : wh(room))
  expect(split(288n, 480n, 240n)).toEqual({ lowKwh: 48n, highKwh: 240n, isKnown: true })
  expect(split(100n, 480n, 240n)).toEqual({ lowKwh: 0n, highKwh: 100n, isKnown: true })
  expect(split(72n, 120n, 240n)).toEqual({ lowKwh: 72n, highKwh: 0n, isKnown: true })
  expect(split(72n, 120n, null)).toEqual({ lowKwh: 0n, highKwh: 72n, isKnown: false })
})

test('the step state before a window sums the hours of membership and records a gap', () => {
  const until = START + 30 * HOUR_MS
  const facts = hoursOf({ from: START, to: until }).flatMap((hour) =>
    makeFacts('shop', hour, { consumption: hour < START + 24 * HOUR_MS ? null : wh(2n) }),
  )
  const assignments = [makeAssignment('shop', 'main_consumption')]
  const before = (validFrom: string) =>
    stepStatesBefore({ billingPeriod: PERIOD, members: [{ ...shop, validFrom }], assignments, facts, until })
  expect(before('2026-06-02')).toEqual([{ facilityId: 'shop', consumptionKwh: 12n, hasMissingHour: false }])
  expect(before('2026-05-02')).toEqual([{ facilityId: 'shop', consumptionKwh: 12n, hasMissingHour: true }])
})

test('a member from before the window without a step state is unknown', () => {
  const window = { from: START + HOUR_MS, to: START + 2 * HOUR_MS }
  const room = (members: (typeof shop)[]) =>
    trackSteps({ billingPeriod: PERIOD, members, stepStates: [], window }).room(shop)
  expect(room([shop])).toBeNull()
  const inWindow = { from: START, to: window.to }
  expect(
    trackSteps({ billingPeriod: PERIOD, members: [shop], stepStates: [], window: inWindow }).room(shop),
  ).toBe(900_000n)
})
