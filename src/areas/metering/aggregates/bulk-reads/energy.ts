import type { Range } from '../../../../kernel/time.ts'
import type { Queryable } from '../../../../platform/db/rows.ts'
import {
  bucketStart,
  contains,
  dirtyRanges,
  hoursAround,
  INTERVALS,
  type Interval,
  mergeRanges,
  overlap,
  ROLLUP_SAMPLES_AT_ONCE,
  rollHours,
  wholeBuckets,
  widen,
} from '../../rollup/index.ts'
import { type DeviceHead, readHeads } from '../bucket-store.ts'
import { bucketOf, type DeviceEnergy, foldEnergy } from '../energy.ts'
import { type AskedRange, type EnergyBucket, readEnergyBucketsOfMany } from '../energy-store.ts'
import { readExtents, readNeighboursOfMany, readSamplesOfMany } from './store.ts'

export interface EnergyWish {
  readonly deviceId: string
  readonly interval: Interval
  /** Whole buckets. */
  readonly range: Range
}

export interface KnownEnergy extends DeviceEnergy {
  readonly isInverter: boolean
}

interface Known {
  readonly head: DeviceHead
  readonly interval: Interval
  readonly range: Range
  readonly place: number
}

/** What a device has that its roll-up rows do not speak for. */
interface Fresh {
  readonly head: DeviceHead
  /** Whole hours, ascending. */
  readonly ranges: readonly Range[]
  readonly registers: number
  readonly samples: number
}

/**
 * What `readEnergy` tells of a device, of many devices and ranges in a handful of statements, by place; undefined for an
 * unknown device. What a wish is answered does not depend on what is asked for beside it.
 */
export async function readEnergyOfMany(
  db: Queryable,
  tenantId: number,
  wishes: readonly EnergyWish[],
): Promise<(KnownEnergy | undefined)[]> {
  const heads = await readHeads(db, tenantId, [...new Set(wishes.map(({ deviceId }) => deviceId))])
  const known = wishes.flatMap(({ deviceId, ...wish }, place): Known[] => {
    const head = heads.get(deviceId)
    return head ? [{ ...wish, head, place }] : []
  })
  const [fresh, rolled] = await Promise.all([
    findFresh(db, tenantId, [...heads.values()]),
    readRolled(db, tenantId, known),
  ])
  const stale = await readStale(db, tenantId, known, fresh)
  const hours = await computeFresh(db, tenantId, { known, fresh })
  const answers = wishes.map((): KnownEnergy | undefined => undefined)
  for (const [index, wish] of known.entries()) {
    const { isInverter, deviceKey, registers } = wish.head
    const touched = fresh.get(deviceKey)
    const raw = rawOf(wish, touched)
    const parts = {
      raw,
      rolled: rolled[index] ?? [],
      stale: stale[index] ?? [],
      hours: hours.get(deviceKey) ?? [],
    }
    answers[wish.place] = {
      buckets: raw.length > 0 ? withFresh(wish, parts) : inOrder(parts.rolled),
      registers: touched?.registers ?? registers,
      isInverter,
    }
  }
  return answers
}

const inOrder = (buckets: readonly EnergyBucket[]): EnergyBucket[] =>
  [...buckets].sort((a, b) => a.start - b.start)

const rawOf = ({ range }: Known, fresh: Fresh | undefined): Range[] =>
  (fresh?.ranges ?? []).map((hours) => overlap(hours, range)).filter(({ from, to }) => from < to)

const staleOf = (wish: Known, raw: readonly Range[]): Range[] =>
  mergeRanges(raw.map((hours) => wholeBuckets(wish.interval, hours)))

interface Parts {
  readonly raw: readonly Range[]
  readonly rolled: readonly EnergyBucket[]
  /** Roll-up rows by the hour of the buckets that hold raw hours. */
  readonly stale: readonly EnergyBucket[]
  /** Raw hours, also others than those asked for. */
  readonly hours: readonly EnergyBucket[]
}

/** The buckets with those that hold raw hours made anew. */
function withFresh(wish: Known, { raw, rolled, stale, hours }: Parts): EnergyBucket[] {
  const made = staleOf(wish, raw)
  const isRaw = (start: number) => raw.some((range) => contains(range, start))
  const kept = rolled.filter(({ start }) => !made.some((range) => contains(range, start)))
  const anew = [...stale.filter(({ start }) => !isRaw(start)), ...hours.filter(({ start }) => isRaw(start))]
  return inOrder([...kept, ...foldEnergy(inOrder(anew), wish.interval)])
}

async function readRolled(db: Queryable, tenantId: number, known: readonly Known[]) {
  const lists = known.map((): EnergyBucket[] => [])
  await Promise.all(
    INTERVALS.map(async (interval) => {
      const places = [...known.keys()].filter((place) => known[place]?.interval === interval)
      const asked = places.flatMap((place) => askedOf(known[place]))
      const read = await readEnergyBucketsOfMany(db, { tenantId, interval }, asked)
      for (const [index, place] of places.entries()) lists[place] = read[index] ?? []
    }),
  )
  return lists
}

const askedOf = (wish: Known | undefined): AskedRange[] =>
  wish ? [{ deviceKey: wish.head.deviceKey, range: wish.range }] : []

/** Of each wish by day or month, the hours of the buckets that must be made anew. */
async function readStale(
  db: Queryable,
  tenantId: number,
  known: readonly Known[],
  fresh: ReadonlyMap<number, Fresh>,
): Promise<EnergyBucket[][]> {
  const asked = known.flatMap((wish, place) =>
    wish.interval === 'hourly'
      ? []
      : staleOf(wish, rawOf(wish, fresh.get(wish.head.deviceKey))).map((range) => ({
          place,
          deviceKey: wish.head.deviceKey,
          range,
        })),
  )
  const lists = known.map((): EnergyBucket[] => [])
  const read = await readEnergyBucketsOfMany(db, { tenantId, interval: 'hourly' }, asked)
  for (const [index, { place }] of asked.entries()) lists[place]?.push(...(read[index] ?? []))
  return lists
}

/** What `findTouched` finds of one device, of all of them in two steps. */
async function findFresh(
  db: Queryable,
  tenantId: number,
  heads: readonly DeviceHead[],
): Promise<Map<number, Fresh>> {
  const stretches = heads.flatMap((head) =>
    mergeRanges(dirtyRanges(head)).map((range) => ({ head, deviceKey: head.deviceKey, range })),
  )
  const extents = await readExtents(db, tenantId, stretches)
  const found = stretches.flatMap(({ head, deviceKey }, place) => {
    const extent = extents[place]
    return extent ? [{ ...extent, head, deviceKey, range: hoursAround(extent) }] : []
  })
  const neighbours = await readNeighboursOfMany(db, tenantId, found)
  const fresh = new Map<number, Fresh>()
  for (const [place, { head, deviceKey, range, registers, samples }] of found.entries()) {
    const wide = widen(range, neighbours[place] ?? { before: [], after: [] })
    const before = fresh.get(deviceKey)
    fresh.set(deviceKey, {
      head,
      ranges: mergeRanges([...(before?.ranges ?? []), wide]),
      registers: (before?.registers ?? head.registers) | registers,
      samples: (before?.samples ?? 0) + samples,
    })
  }
  return fresh
}

interface Piece extends AskedRange {
  readonly registers: number
}

/**
 * The raw hours that the wishes need, by device. They are computed day by day, so that a day's hours come out the same
 * whichever days are computed with it; all days at once, or one by one where there are many samples.
 */
async function computeFresh(
  db: Queryable,
  tenantId: number,
  { known, fresh }: { readonly known: readonly Known[]; readonly fresh: ReadonlyMap<number, Fresh> },
): Promise<Map<number, EnergyBucket[]>> {
  const pieces: Piece[] = []
  let samples = 0
  for (const [deviceKey, { ranges, registers, samples: count }] of fresh) {
    const wanted = mergeRanges(
      known
        .filter(({ head }) => head.deviceKey === deviceKey)
        .flatMap((wish) => rawOf(wish, fresh.get(deviceKey))),
    )
    const days = mergeRanges(wanted.map((range) => wholeBuckets('daily', range)))
    if (days.length > 0) samples += count
    for (const day of days.flatMap(daysOf)) {
      for (const range of ranges.map((hours) => overlap(hours, day)).filter(({ from, to }) => from < to)) {
        pieces.push({ deviceKey, range, registers })
      }
    }
  }
  const portions = samples <= ROLLUP_SAMPLES_AT_ONCE ? [pieces] : pieces.map((piece) => [piece])
  const hours = new Map<number, EnergyBucket[]>()
  for (const portion of portions) await computePieces(db, tenantId, { portion, hours })
  return hours
}

function daysOf({ from, to }: Range): Range[] {
  const days: Range[] = []
  for (let at = from; at < to; at = wholeBuckets('daily', { from: at, to: at + 1 }).to) {
    days.push({ from: bucketStart('daily', at), to: wholeBuckets('daily', { from: at, to: at + 1 }).to })
  }
  return days
}

async function computePieces(
  db: Queryable,
  tenantId: number,
  { portion, hours }: { readonly portion: readonly Piece[]; readonly hours: Map<number, EnergyBucket[]> },
): Promise<void> {
  const [samples, neighbours] = await Promise.all([
    readSamplesOfMany(db, tenantId, portion),
    readNeighboursOfMany(db, tenantId, portion),
  ])
  for (const [place, { deviceKey, range }] of portion.entries()) {
    const around = neighbours[place] ?? { before: [], after: [] }
    const rows = rollHours({ range, samples: samples[place] ?? [], ...around })
    hours.set(deviceKey, [...(hours.get(deviceKey) ?? []), ...rows.map(bucketOf)])
  }
}
