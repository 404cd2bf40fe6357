import { SAMPLES_PER_REQUEST_MAX } from '../../../kernel/limits.ts'
import { SPARKPLUG_METRICS_MAX, SPARKPLUG_REBIRTH_EVERY_MS } from '../limits.ts'
import {
  type AnnouncedMetric,
  type EdgeState,
  type Edges,
  makeEdgeState,
  readEdges,
  storeEdges,
} from './sparkplug-edges.ts'
import {
  decodePayload,
  encodeRebirthRequest,
  type Metric,
  type Payload,
  toSigned,
} from './sparkplug-payload.ts'
import type { Decoded, Dialect, Message, Reading, Refused, Reply } from './types.ts'
import { Undecodable } from './types.ts'
import { OWN_NAMES, ValueCollector } from './values.ts'

/**
 * The power of ten between the unit of a birth (`engUnit`) and that of kernel/metrics, for known metric
 * names.
 */
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

interface TopicParts {
  readonly group: string
  readonly kind: string
  readonly edge: string
  /** Empty for the edge node itself. */
  readonly device: string
}

const TOPIC = /^spBv1\.0\/([^/]+)\/([A-Z]+)\/([^/]+)(?:\/([^/]+))?$/

const SEQ_RANGE = 256
/** Longest stored metric name: a longer one could not be stored as a metric. */
const NAME_MAX = 300
const keyOf = (device: string, word: string) => `${device}\n${word}`

/** The name of a device: `{edge}/{device}`; that of the node itself: `{edge}`. */
const deviceName = ({ edge, device }: TopicParts, of = device): string => (of === '' ? edge : `${edge}/${of}`)

/** True for metrics of the protocol itself. */
const isProtocolMetric = (name: string): boolean =>
  name === 'bdSeq' || /^(Node|Device) (Control|Info)\//.test(name)

/** Normalizes a name: `Active Power`, `active/power` and `ACTIVE_POWER` are the same. */
const normalizeName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** Decodes one message of an edge node with the stored state of the node. */
class EdgeReader {
  readonly #message: Message
  readonly #topic: TopicParts
  readonly #payload: Payload
  readonly #key: string
  readonly #edges: Edges
  readonly #state: EdgeState
  readonly #replies: Reply[] = []

  constructor(message: Message, topic: TopicParts) {
    this.#message = message
    this.#topic = topic
    this.#payload = decodePayload(message.payload)
    this.#key = `${topic.group}/${topic.edge}`
    this.#edges = readEdges(message.memory)
    this.#state = this.#edges.get(this.#key) ?? makeEdgeState()
  }

  read(): Decoded {
    const { kind } = this.#topic
    if (kind === 'NDEATH') return this.#handleDeath()
    // A retried dead letter is decoded with the current state and does not change it.
    const isNews = this.#message.receivedAt >= this.#state.receivedAt
    if (isNews) this.#trackSequence()
    if (isNews && kind.endsWith('BIRTH')) this.#storeAnnouncements()
    if (isNews) this.#storeState()
    if (kind === 'DDEATH') return { availability: [{ device: deviceName(this.#topic), isOnline: false }] }
    const decoded = this.#readings()
    if (!kind.endsWith('BIRTH')) return decoded
    return { ...decoded, ...this.#onlineState() }
  }

  #storeState(): void {
    this.#edges.delete(this.#key)
    this.#edges.set(this.#key, this.#state)
    storeEdges(this.#message.memory, this.#edges)
  }

  /** Ignores the death of an earlier session: its last will may arrive after the next birth. */
  #handleDeath(): Decoded {
    const bdSeq = this.#bdSeq()
    const { bdSeq: born, devices } = this.#state
    if (born !== undefined && bdSeq !== undefined && born !== bdSeq) return {}
    this.#edges.delete(this.#key)
    const all = ['', ...devices].map((device) => deviceName(this.#topic, device))
    return { availability: all.map((device) => ({ device, isOnline: false })) }
  }

  #bdSeq(): number | undefined {
    const value = this.#payload.metrics.find(({ name }) => name === 'bdSeq')?.value
    return typeof value === 'number' ? value : undefined
  }

  /**
   * Resets the state, except for a repeated birth, which must not remove devices that were announced in
   * between.
   */
  #startSession(): void {
    const state = this.#state
    const { seq, timestamp: bornAt } = this.#payload
    const bdSeq = this.#bdSeq()
    if (state.isTrusted && bornAt !== undefined && bornAt === state.bornAt && bdSeq === state.bdSeq) return
    Object.assign(state, { bdSeq, bornAt, isTrusted: true, seq })
    for (const known of [state.aliases, state.names, state.devices]) known.clear()
  }

  /** Sequence numbers count from 0 to 255 and wrap around; a missing message may have been a birth. */
  #trackSequence(): void {
    const state = this.#state
    const { seq } = this.#payload
    if (this.#topic.kind === 'NBIRTH') this.#startSession()
    else if (seq !== undefined) {
      const { seq: last } = state
      const isNext = last !== undefined && (seq === (last + 1) % SEQ_RANGE || seq === last)
      if (!isNext && !this.#message.isShared) state.isTrusted = false
      state.seq = seq
    }
    state.receivedAt = this.#message.receivedAt
    if (!state.isTrusted && !this.#message.isShared) this.#requestRebirth()
  }

  #requestRebirth(): void {
    const { receivedAt } = this.#message
    if (receivedAt - this.#state.rebirthRequestedAt < SPARKPLUG_REBIRTH_EVERY_MS) return
    this.#state.rebirthRequestedAt = receivedAt
    const { group, edge } = this.#topic
    const topic = `spBv1.0/${group}/NCMD/${edge}`
    this.#replies.push({ topic, payload: encodeRebirthRequest(receivedAt), qos: 0 })
  }

  #storeAnnouncements(): void {
    const { device } = this.#topic
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

  /** Undefined for an alias that was not announced, or that a lost birth may have redefined. */
  #resolveMetric({ name, alias, datatype, engUnit }: Metric): AnnouncedMetric | undefined {
    const { device } = this.#topic
    const { names, aliases, isTrusted } = this.#state
    const isKnown = isTrusted || this.#message.isShared
    if (name !== undefined) {
      const known = isKnown ? names.get(keyOf(device, name)) : undefined
      return { name, datatype: datatype ?? known?.datatype, engUnit: engUnit ?? known?.engUnit }
    }
    return isKnown && alias !== undefined ? aliases.get(keyOf(device, alias)) : undefined
  }

  #onlineState(): Decoded {
    const device = deviceName(this.#topic)
    return { availability: [{ device, isOnline: true }], inventory: [{ device }] }
  }

  #readings(): Decoded {
    const moments = new Map<number | undefined, ReadingDraft>()
    const refused: Refused[] = []
    let unknown = 0
    for (const metric of this.#payload.metrics) {
      const announced = this.#resolveMetric(metric)
      if (!announced) unknown += 1
      else if (!isProtocolMetric(announced.name) && metric.value !== undefined) {
        addMetric(draftAt(moments, metric.timestamp ?? this.#payload.timestamp), announced, metric.value)
      }
    }
    if (moments.size > SAMPLES_PER_REQUEST_MAX) {
      throw new Undecodable(
        'too_many_readings',
        `a message holds at most ${SAMPLES_PER_REQUEST_MAX} instants`,
      )
    }
    if (unknown > 0) {
      this.#requestRebirth()
      const detail = `${unknown} metrics come under an alias without a valid birth`
      if (moments.size === 0) throw new Undecodable('unknown_alias', detail, this.#replies)
      refused.push({ reason: 'unknown_alias', detail })
    }
    const device = deviceName(this.#topic)
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

interface ReadingDraft {
  readonly list: ValueCollector
  readonly raw: Map<string, unknown>
}

function draftAt(moments: Map<number | undefined, ReadingDraft>, at: number | undefined): ReadingDraft {
  const moment = moments.get(at) ?? { list: new ValueCollector(), raw: new Map() }
  moments.set(at, moment)
  return moment
}

function addMetric(
  { list, raw }: ReadingDraft,
  announced: AnnouncedMetric,
  wire: NonNullable<Metric['value']>,
): void {
  const { name, datatype, engUnit } = announced
  const value = toSigned(wire, datatype)
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return
  raw.set(name, value)
  const plain = normalizeName(name)
  const exponent =
    engUnit !== undefined && Object.hasOwn(SPARKPLUG_UNITS, engUnit) ? SPARKPLUG_UNITS[engUnit] : 0
  if (Object.hasOwn(OWN_NAMES, plain))
    list.addMapped(plain, value, { [plain]: { metric: plain, exponent: exponent ?? 0 } })
  else list.addMapped(name, value, {})
}

const DECODED_KINDS: ReadonlySet<string> = new Set(['NBIRTH', 'NDEATH', 'NDATA', 'DBIRTH', 'DDEATH', 'DDATA'])

const BIRTHS_AND_DEATHS = ['NBIRTH', 'NDEATH', 'DBIRTH', 'DDEATH'].map((kind) => `spBv1.0/+/${kind}/#`)

/** Sparkplug B from the perspective of a host application; commands and host states are ignored. */
export const sparkplug: Dialect = {
  name: 'sparkplug',
  filters: [...BIRTHS_AND_DEATHS, 'spBv1.0/+/NDATA/#', 'spBv1.0/+/DDATA/#'],
  sharedState: BIRTHS_AND_DEATHS,
  claims: (topic) => topic.startsWith('spBv1.0/'),
  decode(message) {
    const [, group = '', kind = '', edge = '', device = ''] = TOPIC.exec(message.topic) ?? []
    if (message.topic.startsWith('spBv1.0/STATE/') || kind === 'NCMD' || kind === 'DCMD') return {}
    if (!DECODED_KINDS.has(kind) || kind.startsWith('D') !== (device !== '')) {
      throw new Undecodable('unknown_topic', 'not a topic of Sparkplug B')
    }
    return new EdgeReader(message, { group, kind, edge, device }).read()
  },
}
