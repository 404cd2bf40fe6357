import { SAMPLES_PER_REQUEST_MAX } from '../../../kernel/limits.ts'
import { SPARKPLUG_METRICS_MAX, SPARKPLUG_REBIRTH_EVERY_MS } from '../limits.ts'
import {
  type Announced,
  type EdgeState,
  type Edges,
  edgesOf,
  emptyState,
  keepEdges,
} from './sparkplug-edges.ts'
import {
  decodePayload,
  encodeRebirthRequest,
  type Metric,
  type Payload,
  signed,
} from './sparkplug-payload.ts'
import type { Decoded, Dialect, Message, Reading, Refused, Reply } from './types.ts'
import { Undecodable } from './types.ts'
import { OWN_NAMES, ValueList } from './values.ts'

/** The power of ten that the unit of a birth (`engUnit`) stands away from ours, for a value that is ours by its name. */
export const SPARKPLUG_UNITS: Readonly<Record<string, number>> = {
  W: -3,
  VA: -3,
  var: -3,
  VAr: -3,
  Wh: -3,
  varh: -3,
  mV: -3,
  mA: -3,
  MW: 3,
  MWh: 3,
}

interface Place {
  readonly group: string
  readonly kind: string
  readonly edge: string
  /** Empty for the node itself. */
  readonly device: string
}

const TOPIC = /^spBv1\.0\/([^/]+)\/([A-Z]+)\/([^/]+)(?:\/([^/]+))?$/

const SEQ_RANGE = 256
/** A longer name could not be stored; the rest of it need not be remembered. */
const NAME_MAX = 300
const keyOf = (device: string, word: string) => `${device}\n${word}`

/** How a device is called: `{edge}/{device}`, the node itself `{edge}`. */
const nameOf = ({ edge, device }: Place, of = device): string => (of === '' ? edge : `${edge}/${of}`)

/** Metrics of the protocol, not of the plant. */
const isControl = (name: string): boolean => name === 'bdSeq' || /^(Node|Device) (Control|Info)\//.test(name)

/** `Active Power`, `active/power` and `ACTIVE_POWER` are the same name. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** Reads one message of an edge node with what is remembered of it. */
class EdgeReader {
  readonly #message: Message
  readonly #place: Place
  readonly #payload: Payload
  readonly #key: string
  readonly #edges: Edges
  readonly #state: EdgeState
  readonly #replies: Reply[] = []

  constructor(message: Message, place: Place) {
    this.#message = message
    this.#place = place
    this.#payload = decodePayload(message.payload)
    this.#key = `${place.group}/${place.edge}`
    this.#edges = edgesOf(message.memory)
    this.#state = this.#edges.get(this.#key) ?? emptyState()
  }

  read(): Decoded {
    const { kind } = this.#place
    if (kind === 'NDEATH') return this.#died()
    // A retry of a dead letter is read with what is known now, and teaches nothing.
    const isNews = this.#message.receivedAt >= this.#state.receivedAt
    if (isNews) this.#follow()
    if (isNews && kind.endsWith('BIRTH')) this.#announce()
    if (isNews) this.#remember()
    if (kind === 'DDEATH') return { availability: [{ device: nameOf(this.#place), isOnline: false }] }
    const decoded = this.#readings()
    if (!kind.endsWith('BIRTH')) return decoded
    return { ...decoded, ...this.#presence() }
  }

  #remember(): void {
    this.#edges.delete(this.#key)
    this.#edges.set(this.#key, this.#state)
    keepEdges(this.#message.memory, this.#edges)
  }

  /** Only the death of the present session counts: its will may arrive after the next birth. */
  #died(): Decoded {
    const bdSeq = this.#bdSeq()
    const { bdSeq: born, devices } = this.#state
    if (born !== undefined && bdSeq !== undefined && born !== bdSeq) return {}
    this.#edges.delete(this.#key)
    const all = ['', ...devices].map((device) => nameOf(this.#place, device))
    return { availability: all.map((device) => ({ device, isOnline: false })) }
  }

  #bdSeq(): number | undefined {
    const value = this.#payload.metrics.find(({ name }) => name === 'bdSeq')?.value
    return typeof value === 'number' ? value : undefined
  }

  /** A birth that comes twice must not forget the devices that were announced in between. */
  #begin(): void {
    const state = this.#state
    const { seq, timestamp: bornAt } = this.#payload
    const bdSeq = this.#bdSeq()
    if (state.isTrusted && bornAt !== undefined && bornAt === state.bornAt && bdSeq === state.bdSeq) return
    Object.assign(state, { bdSeq, bornAt, isTrusted: true, seq })
    for (const known of [state.aliases, state.names, state.devices]) known.clear()
  }

  /** Messages of an edge node count from 0 to 255 and again; a number that is missing may have been a birth. */
  #follow(): void {
    const state = this.#state
    const { seq } = this.#payload
    if (this.#place.kind === 'NBIRTH') this.#begin()
    else if (seq !== undefined) {
      const { seq: last } = state
      const isNext = last !== undefined && (seq === (last + 1) % SEQ_RANGE || seq === last)
      if (!isNext && !this.#message.isShared) state.isTrusted = false
      state.seq = seq
    }
    state.receivedAt = this.#message.receivedAt
    if (!state.isTrusted && !this.#message.isShared) this.#askForRebirth()
  }

  #askForRebirth(): void {
    const { receivedAt } = this.#message
    if (receivedAt - this.#state.rebirthAskedAt < SPARKPLUG_REBIRTH_EVERY_MS) return
    this.#state.rebirthAskedAt = receivedAt
    const { group, edge } = this.#place
    const topic = `spBv1.0/${group}/NCMD/${edge}`
    this.#replies.push({ topic, payload: encodeRebirthRequest(receivedAt), qos: 0 })
  }

  #announce(): void {
    const { device } = this.#place
    const { aliases, names, devices } = this.#state
    if (device !== '') devices.add(device)
    for (const { name, alias, datatype, engUnit } of this.#payload.metrics) {
      if (name === undefined) continue
      if (names.size >= SPARKPLUG_METRICS_MAX) {
        throw new Undecodable(
          'too_many_readings',
          `an edge node announces at most ${SPARKPLUG_METRICS_MAX} metrics`,
        )
      }
      const announced = { name: name.slice(0, NAME_MAX), datatype, engUnit }
      names.set(keyOf(device, name), announced)
      if (alias !== undefined) aliases.set(keyOf(device, alias), announced)
    }
  }

  /** Undefined for an alias that nobody announced, or that may mean something else by now. */
  #announced({ name, alias, datatype, engUnit }: Metric): Announced | undefined {
    const { device } = this.#place
    const { names, aliases, isTrusted } = this.#state
    const isKnown = isTrusted || this.#message.isShared
    if (name !== undefined) {
      const known = isKnown ? names.get(keyOf(device, name)) : undefined
      return { name, datatype: datatype ?? known?.datatype, engUnit: engUnit ?? known?.engUnit }
    }
    return isKnown && alias !== undefined ? aliases.get(keyOf(device, alias)) : undefined
  }

  #presence(): Decoded {
    const device = nameOf(this.#place)
    return { availability: [{ device, isOnline: true }], inventory: [{ device }] }
  }

  #readings(): Decoded {
    const moments = new Map<number | undefined, Moment>()
    const refused: Refused[] = []
    let unknown = 0
    for (const metric of this.#payload.metrics) {
      const announced = this.#announced(metric)
      if (!announced) unknown += 1
      else if (!isControl(announced.name) && metric.value !== undefined) {
        takeMetric(momentOf(moments, metric.timestamp ?? this.#payload.timestamp), announced, metric.value)
      }
    }
    if (moments.size > SAMPLES_PER_REQUEST_MAX) {
      throw new Undecodable(
        'too_many_readings',
        `a message holds at most ${SAMPLES_PER_REQUEST_MAX} instants`,
      )
    }
    if (unknown > 0) {
      this.#askForRebirth()
      const detail = `${unknown} metrics come under an alias without a valid birth`
      if (moments.size === 0) throw new Undecodable('unknown_alias', detail, this.#replies)
      refused.push({ reason: 'unknown_alias', detail })
    }
    const device = nameOf(this.#place)
    const readings = [...moments].map(([at, { list, raw }]): Reading => {
      refused.push(...list.refused)
      return {
        device,
        ...(at !== undefined && { at }),
        values: list.toValues(),
        raw: Object.fromEntries(raw),
      }
    })
    return { readings, refused, replies: this.#replies }
  }
}

interface Moment {
  readonly list: ValueList
  readonly raw: Map<string, unknown>
}

function momentOf(moments: Map<number | undefined, Moment>, at: number | undefined): Moment {
  const moment = moments.get(at) ?? { list: new ValueList(), raw: new Map() }
  moments.set(at, moment)
  return moment
}

function takeMetric({ list, raw }: Moment, announced: Announced, wire: NonNullable<Metric['value']>): void {
  const { name, datatype, engUnit } = announced
  const value = signed(wire, datatype)
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return
  raw.set(name, value)
  const plain = plainName(name)
  const exponent =
    engUnit !== undefined && Object.hasOwn(SPARKPLUG_UNITS, engUnit) ? SPARKPLUG_UNITS[engUnit] : 0
  if (Object.hasOwn(OWN_NAMES, plain))
    list.take(plain, value, { [plain]: { metric: plain, exponent: exponent ?? 0 } })
  else list.take(name, value, {})
}

const READ: ReadonlySet<string> = new Set(['NBIRTH', 'NDEATH', 'NDATA', 'DBIRTH', 'DDEATH', 'DDATA'])

const BIRTHS_AND_DEATHS = ['NBIRTH', 'NDEATH', 'DBIRTH', 'DDEATH'].map((kind) => `spBv1.0/+/${kind}/#`)

/** Sparkplug B, as a host application sees it; commands and the state of hosts are understood and left alone. */
export const sparkplug: Dialect = {
  name: 'sparkplug',
  filters: [...BIRTHS_AND_DEATHS, 'spBv1.0/+/NDATA/#', 'spBv1.0/+/DDATA/#'],
  sharedState: BIRTHS_AND_DEATHS,
  claims: (topic) => topic.startsWith('spBv1.0/'),
  decode(message) {
    const [, group = '', kind = '', edge = '', device = ''] = TOPIC.exec(message.topic) ?? []
    if (message.topic.startsWith('spBv1.0/STATE/') || kind === 'NCMD' || kind === 'DCMD') return {}
    if (!READ.has(kind) || kind.startsWith('D') !== (device !== '')) {
      throw new Undecodable('unknown_topic', 'not a topic of Sparkplug B')
    }
    return new EdgeReader(message, { group, kind, edge, device }).read()
  },
}
