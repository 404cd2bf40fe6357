import { iso, type Range } from '../../../../kernel/time.ts'
import { inKilo } from '../../../metering/aggregates/index.ts'
import { toMeterAmounts, toReactiveRatio } from '../../../metering/reactive/index.ts'
import { bucketCount, wholeBuckets } from '../../../metering/rollup/index.ts'
import type { Plan } from './plan.ts'
import { energyRequestsOf } from './plan.ts'
import { type Flow, slicesOf, sumSlices } from './slices.ts'
import type { Sources } from './sources.ts'

export const headOf = ({ period }: Plan) => ({
  period: period.period,
  period_label: period.label,
  interval: period.interval,
  start: iso(period.range.from),
  end: iso(period.range.to),
})

const flowOf = ({ widget: { config } }: Plan): Flow => {
  const { flow } = config
  return flow === 'production' || flow === 'export' ? flow : 'consumption'
}

function consumption(plan: Plan, sources: Sources, now: number) {
  const flow = flowOf(plan)
  const reader = { energyOf: sources.energy, flow, now }
  const requests = energyRequestsOf(plan)
  const buckets = bucketCount(plan.period.interval, plan.period.range)
  const slices = slicesOf(requests, reader).filter(({ energyWh }) => energyWh !== null)
  const devices = plan.devices.map((device, index) => {
    const total = sumSlices(0, slicesOf(requests.slice(index, index + 1), reader), buckets)
    return {
      device_id: device.id,
      device_name: device.name,
      energy_kwh: inKilo(total.energyWh),
      data_quality: total.quality,
    }
  })
  return { flow, slices, total: sumSlices(0, slices, buckets), devices }
}

export function consumptionChart(plan: Plan, sources: Sources, now: number) {
  const { flow, slices, total, devices } = consumption(plan, sources, now)
  return {
    ...headOf(plan),
    flow,
    unit: 'kWh',
    total_kwh: inKilo(total.energyWh),
    is_estimated: total.isEstimated,
    data_quality: total.quality,
    data: slices.map(({ start, energyWh, isEstimated, quality }) => ({
      timestamp: iso(start),
      energy_kwh: inKilo(energyWh),
      is_estimated: isEstimated,
      data_quality: quality,
    })),
    devices,
  }
}

export function consumptionNumeric(plan: Plan, sources: Sources, now: number) {
  const { flow, total, devices } = consumption(plan, sources, now)
  const { period, period_label, start, end } = headOf(plan)
  return {
    period,
    period_label,
    start,
    end,
    flow,
    unit: 'kWh',
    value_kwh: inKilo(total.energyWh),
    is_estimated: total.isEstimated,
    data_quality: total.quality,
    devices,
  }
}

/** The response of GET /api/measurements/reactive-ratio for the same meters and range, with the period. */
export function reactiveRatio(plan: Plan, sources: Sources, now: number) {
  const { widget, period, devices } = plan
  const { contracted_power_kw: given } = widget.config
  const [first] = devices
  const location = {
    subregion_id: widget.subregion_id,
    contracted_power_kw: typeof given === 'number' ? given : sources.contractedPower(),
  }
  const requests = energyRequestsOf(plan)
  const meters = devices.map(({ id, name }, index) => {
    const request = requests[index]
    return toMeterAmounts({ id, name }, request && sources.energy(request), {
      interval: period.interval,
      now,
    })
  })
  const isOne = devices.length === 1 && typeof widget.config['device_id'] === 'string'
  return {
    period: period.period,
    period_label: period.label,
    ...toReactiveRatio({
      deviceId: isOne ? (first?.id ?? null) : null,
      interval: period.interval,
      range: period.range,
      location,
      meters,
    }),
  }
}

/**
 * Received samples as a share of the expected ones. A device that sends more than expected counts as
 * complete.
 */
export function readRate(plan: Plan, sources: Sources, now: number) {
  const { widget, period, devices } = plan
  const requests = energyRequestsOf(plan)
  const rows = devices.map((device, index) => {
    const request = requests[index]
    const buckets = (request && sources.energy(request)?.buckets) ?? []
    const received = buckets.reduce((sum, { samples }) => sum + samples, 0)
    const intervalS = device.reporting_interval_s ?? numberIn(widget.config['reporting_interval_s'])
    const expected = intervalS === null ? null : expectedIn(period.range, { device, intervalS, now })
    return {
      device_id: device.id,
      device_name: device.name,
      reporting_interval_s: intervalS,
      expected_count: expected,
      received_count: received,
      read_rate_pct: rateOf(received, expected),
      last_seen: device.last_seen ? iso(device.last_seen.getTime()) : null,
      is_online:
        device.last_seen !== null && now - device.last_seen.getTime() < device.offline_threshold_s * 1000,
    }
  })
  let expected = 0
  let received = 0
  for (const { expected_count: expectedOfDevice, received_count: receivedOfDevice } of rows) {
    if (expectedOfDevice === null) continue
    expected += expectedOfDevice
    // The surplus of a device that sends too often does not compensate for the samples that another one misses.
    received += Math.min(receivedOfDevice, expectedOfDevice)
  }
  const { start, end } = headOf(plan)
  return {
    period: period.period,
    period_label: period.label,
    start,
    end,
    expected_count: expected,
    received_count: received,
    read_rate_pct: rateOf(received, expected),
    devices: rows,
  }
}

const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)

interface Expectation {
  readonly device: { readonly created_at: Date }
  readonly intervalS: number
  readonly now: number
}

/** No samples are expected in the future or before the device was created. */
function expectedIn(range: Range, { device, intervalS, now }: Expectation): number {
  const from = Math.max(range.from, device.created_at.getTime())
  const to = Math.min(range.to, now)
  return Math.max(0, Math.floor((to - from) / (intervalS * 1000)))
}

/** Percentage with two decimals, at most 100; null where no sample was expected. */
const rateOf = (received: number, expected: number | null): number | null =>
  expected === null || expected === 0 ? null : Math.min(100, Math.round((received / expected) * 10_000) / 100)

/** The start of the bucket that contains an instant. */
export const bucketOf = (interval: Plan['period']['interval'], at: number): number =>
  wholeBuckets(interval, { from: at, to: at + 1 }).from
