import { Agent } from 'node:http'
import { isAcknowledged, type SentBatch, send, type Target, timeOf, valuesOf } from './sample-load.ts'

const PAGE = 2000

interface StoredSample {
  readonly timestamp: string
  readonly values: Readonly<Record<string, number>>
}

async function readPage({ url, token }: Target, path: string): Promise<readonly StoredSample[]> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as StoredSample[]
}

/** All samples of a device between two steps, over the public API. */
async function readSamples(target: Target, device: number, steps: Steps): Promise<StoredSample[]> {
  const stored: StoredSample[] = []
  for (let from = timeOf(steps.from); ; ) {
    const query = `from=${from}&to=${timeOf(steps.to)}&limit=${PAGE}`
    const path = `/api/measurements/devices/${target.deviceIds[device]}/samples?${query}`
    const page = await readPage(target, path)
    stored.push(...page)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return stored
    from = new Date(Date.parse(last.timestamp) + 1).toISOString()
  }
}

interface Steps {
  readonly from: number
  readonly to: number
}

export interface Audit {
  /** Samples that were answered with 2xx. */
  readonly acknowledged: number
  readonly stored: number
  /** Descriptions of the faults, at most a handful: only an empty list is right. */
  readonly faults: readonly string[]
}

/**
 * Compares what is stored with what was sent: every acknowledged sample is stored once with its values, and
 * no unsent sample is stored. A sample that was sent and not acknowledged may be stored or not.
 */
export async function audit(target: Target, sent: readonly SentBatch[]): Promise<Audit> {
  const isMust = new Map<number, boolean>()
  for (const batch of sent)
    for (let step = batch.from; step < batch.from + batch.count; step++)
      isMust.set(step, isMust.get(step) === true || isAcknowledged(batch))
  const range = { from: Number.POSITIVE_INFINITY, to: 0 }
  for (const step of isMust.keys()) {
    range.from = Math.min(range.from, step)
    range.to = Math.max(range.to, step + 1)
  }
  const faults: string[] = []
  let stored = 0
  for (const device of target.deviceIds.keys()) {
    const samples = await readSamples(target, device, range)
    stored += samples.length
    faults.push(...faultsOf(device, samples, isMust))
  }
  const acknowledged = [...isMust.values()].filter(Boolean).length * target.deviceIds.length
  return { acknowledged, stored, faults: faults.slice(0, 10) }
}

function faultsOf(
  device: number,
  samples: readonly StoredSample[],
  isMust: ReadonlyMap<number, boolean>,
): string[] {
  const faults: string[] = []
  const times = new Set<number>()
  for (const { timestamp, values } of samples) {
    const step = values['sequence'] ?? -1
    if (times.has(step)) faults.push(`device ${device} step ${step} is there twice`)
    times.add(step)
    if (!isMust.has(step)) faults.push(`device ${device} step ${step} was never sent`)
    const expected = valuesOf(device, step)
    const isSame =
      Date.parse(timestamp) === Date.parse(timeOf(step)) &&
      Object.keys(values).length === Object.keys(expected).length &&
      Object.entries(expected).every(([name, value]) => values[name] === value)
    if (!isSame) faults.push(`device ${device} step ${step} has other values: ${JSON.stringify(values)}`)
  }
  for (const [step, must] of isMust)
    if (must && !times.has(step)) faults.push(`device ${device} step ${step} was acknowledged and is lost`)
  return faults
}

/**
 * Sums the hours of every device and compares them with the growth of its register from step 0 to the last
 * one. Needs all steps to be stored. The hours are rolled up by dirty ranges that are committed with the
 * samples: a lost range would show here.
 */
export async function auditEnergy({ url, token, deviceIds }: Target, lastStep: number): Promise<string[]> {
  const faults: string[] = []
  for (const [device, id] of deviceIds.entries()) {
    const path = `/api/measurements/aggregated?device_id=${id}&interval=hourly&start=${timeOf(0)}&end=${timeOf(lastStep)}`
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await response.json()) as { data: { total_energy: number | null }[] }
    const sumWh = data.reduce((sum, { total_energy }) => sum + Math.round((total_energy ?? 0) * 1000), 0)
    const register = (step: number) => valuesOf(device, step)['import_active_energy'] ?? 0
    const grownWh = Math.round((register(lastStep) - register(0)) * 1000)
    if (sumWh !== grownWh) faults.push(`device ${device}: the hours add up to ${sumWh} Wh, not ${grownWh} Wh`)
  }
  return faults
}

/**
 * Sends every batch again; lists the responses that differ from "all that was acknowledged is a duplicate".
 */
export async function resend(target: Target, sent: readonly SentBatch[]) {
  const faults: string[] = []
  const again: SentBatch[] = []
  const queue = [...sent]
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let batch = queue.pop(); batch; batch = queue.pop()) {
      const outcome = await send(target, batch, agent)
      again.push({ from: batch.from, count: batch.count, outcome })
      const samples = batch.count * target.deviceIds.length
      const fault = faultOf(outcome, samples, isAcknowledged(batch))
      if (fault) faults.push(`steps from ${batch.from}: ${fault}`)
    }
    agent.destroy()
  }
  await Promise.all([client(), client(), client()])
  return { again, faults: faults.slice(0, 10) }
}

function faultOf(outcome: SentBatch['outcome'], samples: number, mustBeKnown: boolean): string | undefined {
  const outcomeText = JSON.stringify(outcome)
  if (outcome.kind !== 'answered' || outcome.status !== 201) return outcomeText
  const { accepted, duplicates, set_aside } = outcome.body
  if (set_aside.length > 0 || accepted + duplicates !== samples) return outcomeText
  return mustBeKnown && accepted > 0 ? `acknowledged before, yet new: ${outcomeText}` : undefined
}
