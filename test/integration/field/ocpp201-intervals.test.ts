import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { createCharger, startOcppApi, type TestCharger } from '../../support/field/ocpp.ts'
import { type BareStation, openStation } from '../../support/field/ocpp201.ts'
import { makePriceSet } from '../../support/netting/prices.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

/** Stations that send no register: the energies of the intervals are added up. */
let api: TestApi
let tenant: TestTenant
let charger: TestCharger
let station: BareStation
beforeAll(async () => {
  api = await startOcppApi({ now: '2026-11-20T18:30:00Z' })
  tenant = await createTenant(api)
  await makePriceSet(api.deps, '2026-11-01', [
    { purpose: 'customer_bill_active_energy', segment: 'gunduz', price: '3.000000' },
    { purpose: 'customer_bill_active_energy', segment: 'puant', price: '5.000000' },
  ])
  charger = await createCharger(api, tenant)
  station = await openStation(api, charger)
})
afterAll(async () => {
  await station.end()
  await api.close()
})

/** Minutes after 16:00 in Turkey; the peak begins at 17:00. */
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 13, minute)).toISOString()
const interval = (minute: number, wh: number, context = 'Sample.Periodic') => ({
  timestamp: at(minute),
  sampledValue: [
    { value: wh, context, measurand: 'Energy.Active.Import.Interval', unitOfMeasure: { unit: 'Wh' } },
    { value: 11_000, context, measurand: 'Power.Active.Import', unitOfMeasure: { unit: 'W' } },
  ],
})
const register = (minute: number, wh: number) => ({
  timestamp: at(minute),
  sampledValue: [{ value: wh, context: 'Transaction.End', unitOfMeasure: { unit: 'Wh' } }],
})

interface Event {
  readonly eventType?: string
  readonly minute: number
  readonly seqNo: number
  readonly meterValue: readonly object[]
}
const makeEventSender = (transactionId: string) => (event: Event) =>
  station.call('TransactionEvent', {
    eventType: event.eventType ?? 'Updated',
    timestamp: at(event.minute),
    triggerReason: 'MeterValuePeriodic',
    seqNo: event.seqNo,
    transactionInfo: { transactionId },
    evse: { id: 1, connectorId: 1 },
    ...(event.meterValue.length > 0 && { meterValue: event.meterValue }),
  })

const session = async (transactionId: string) => {
  const query = 'abone_grubu=sanayi&is_multi_time=true'
  const get = async (path: string) => {
    const { status, text, body } = await api.call('GET', path, { token: tenant.viewer.token })
    expect(status, text).toBe(200)
    return body
  }
  const { items } = await get(`/api/ocpp/sessions?charger_id=${charger.id}&${query}`)
  const listed = items.find(
    (one: { ocpp_transaction_id: string }) => one.ocpp_transaction_id === transactionId,
  )
  const detail = await get(`/api/ocpp/sessions/${listed.id}?${query}`)
  expect(detail).toMatchObject(listed)
  return detail
}

/** Ten kWh before the peak and two in it, in intervals of 15 minutes. */
const quarters = [2_500, 2_500, 2_500, 2_500, 500, 500, 500, 500]

it('a session of intervals has their sum as its energy, is marked, and is priced by their times', async () => {
  const id = randomUUID()
  const sendEvent = makeEventSender(id)
  const started = {
    eventType: 'Started',
    minute: 0,
    seqNo: 0,
    meterValue: [interval(0, 900, 'Transaction.Begin')],
  }
  const updates = quarters.map((wh, index) => {
    const minute = (index + 1) * 15
    // The same energy again as clock-aligned values.
    const meterValue = [interval(minute, wh), interval(minute - 1, wh, 'Sample.Clock')]
    return { minute, seqNo: index + 1, meterValue }
  })
  await sendEvent(started)
  for (const update of updates.slice(0, 4)) await sendEvent(update)
  expect(await session(id)).toMatchObject({
    state: 'active',
    energy_kwh: '10.000',
    energy_source: 'intervals',
    last_reading_at: at(60),
    cost_try: '30.000000',
    meter_start_wh: null,
  })
  for (const update of updates.slice(4)) await sendEvent(update)
  // The last message repeats the meter values of the session and adds the newer ones.
  const tail = [interval(105, 500), interval(120, 500), interval(121, 100, 'Transaction.End')]
  const ended = { eventType: 'Ended', minute: 121, seqNo: 9, meterValue: tail }
  await sendEvent(ended)
  const whole = await session(id)
  expect(whole).toMatchObject({
    state: 'ended',
    energy_kwh: '12.100',
    energy_source: 'intervals',
    meter_start_wh: null,
    meter_stop_wh: null,
    // 10 x 3 + 2.1 x 5
    cost_try: '40.500000',
    cost_reason: null,
    cost_parts: [
      { timestamp: at(0), energy_kwh: '10.000', cost_try: '30.000000' },
      { timestamp: at(60), energy_kwh: '2.100', cost_try: '10.500000' },
    ],
    flags: [],
  })
  // All messages again in another order change nothing.
  for (const event of [ended, ...updates.toReversed(), started]) await sendEvent(event)
  expect(await session(id)).toEqual(whole)
})

it('a register at the end takes precedence over the intervals', async () => {
  const id = randomUUID()
  const sendEvent = makeEventSender(id)
  await sendEvent({ eventType: 'Started', minute: 130, seqNo: 0, meterValue: [] })
  await sendEvent({ minute: 145, seqNo: 1, meterValue: [interval(145, 700)] })
  expect(await session(id)).toMatchObject({ energy_kwh: '0.700', energy_source: 'intervals' })
  const meterValue = [
    { ...register(130, 5_000), sampledValue: [{ value: 5_000, context: 'Transaction.Begin' }] },
    register(150, 6_000),
  ]
  await sendEvent({ eventType: 'Ended', minute: 150, seqNo: 2, meterValue })
  expect(await session(id)).toMatchObject({
    energy_kwh: '1.000',
    energy_source: 'register',
    meter_start_wh: 5_000,
    meter_stop_wh: 6_000,
  })
})

it('a session with neither has no energy', async () => {
  const id = randomUUID()
  const sendEvent = makeEventSender(id)
  await sendEvent({ eventType: 'Started', minute: 160, seqNo: 0, meterValue: [] })
  await sendEvent({ eventType: 'Ended', minute: 165, seqNo: 1, meterValue: [] })
  expect(await session(id)).toMatchObject({
    energy_kwh: null,
    energy_source: null,
    cost_try: null,
    cost_reason: 'no_data',
  })
})
