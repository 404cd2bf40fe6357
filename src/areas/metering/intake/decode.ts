import { isRecord } from '../../../kernel/checked.ts'
import { AppError } from '../../../kernel/errors.ts'
import {
  METRIC_NAME_MAX_LENGTH,
  SAMPLE_METRICS_MAX,
  SAMPLES_PER_REQUEST_MAX,
} from '../../../kernel/limits.ts'
import { type Message, textOf } from '../../../kernel/messages.ts'
import { isRegister, REGISTER_MAX, VALUE_MAX } from '../../../kernel/metrics.ts'
import { parseAnyInstant } from '../../../kernel/time.ts'
import { LOWER_CASE_UUID } from '../../../kernel/uuid.ts'
import type { Sample, SampleValues } from '../intake-contract/index.ts'
import { METERING_TEXTS } from '../messages.ts'
import { SAMPLE_FAILURES_MAX } from './limits.ts'

/** The failure in the form of the response. */
export interface InputFailure {
  readonly loc: (string | number)[]
  readonly msg: string
  readonly type: string
  readonly content: Message
}
type Path = readonly (string | number)[]

/** The response of the schema validation, for a check that replaces it. */
export const refuseInput = (failures: readonly InputFailure[]): AppError =>
  new AppError(422, 'VALIDATION_ERROR', METERING_TEXTS.SAMPLES_NOT_VALID(), {
    extra: { failures },
    shape: 'failures',
  })

/** Collects failures in the format of the schema validation, at most SAMPLE_FAILURES_MAX. */
class Failures {
  readonly list: InputFailure[] = []
  add(loc: Path, content: Message, type: string): void {
    if (this.list.length < SAMPLE_FAILURES_MAX)
      this.list.push({ loc: ['body', ...loc], msg: textOf(content), type, content })
  }
  missing(loc: Path, name: string): void {
    this.add([...loc, name], METERING_TEXTS.SAMPLES_PROPERTY_MISSING({ name }), 'missing')
  }
}

/**
 * Reads the canonical document `{samples: [{device_id, timestamp, values}]}`. It is written by hand, because
 * the schema validator would need more time for a full request than the database. The schema of the route
 * documents the same rules. Throws the 422 that lists every failure.
 */
export function decodeSamples(document: unknown): Sample[] {
  const failures = new Failures()
  const samples = decodeList(document, failures)
  if (failures.list.length > 0) throw refuseInput(failures.list)
  return samples
}

function decodeList(document: unknown, failures: Failures): Sample[] {
  if (!isRecord(document)) {
    failures.add([], METERING_TEXTS.SAMPLES_OBJECT(), 'type')
    return []
  }
  const list = document['samples']
  if (list === undefined) failures.missing([], 'samples')
  else if (!Array.isArray(list)) failures.add(['samples'], METERING_TEXTS.SAMPLES_ARRAY(), 'type')
  else if (list.length === 0) failures.add(['samples'], METERING_TEXTS.SAMPLES_EMPTY(), 'minItems')
  else if (list.length > SAMPLES_PER_REQUEST_MAX) {
    failures.add(['samples'], METERING_TEXTS.SAMPLES_TOO_MANY({ max: SAMPLES_PER_REQUEST_MAX }), 'maxItems')
  } else {
    const samples: Sample[] = []
    for (let index = 0; index < list.length; index++) {
      const sample = decodeSample(list[index], index, failures)
      if (sample) samples.push(sample)
    }
    return samples
  }
  return []
}

function decodeSample(sample: unknown, index: number, failures: Failures): Sample | undefined {
  if (!isRecord(sample)) {
    failures.add(['samples', index], METERING_TEXTS.SAMPLES_OBJECT(), 'type')
    return undefined
  }
  const deviceId = decodeDeviceId(sample['device_id'], index, failures)
  const at = decodeTimestamp(sample['timestamp'], index, failures)
  const values = decodeValues(sample['values'], index, failures)
  if (deviceId === undefined || at === undefined || values === undefined) return undefined
  return { deviceId, at, values }
}

function decodeDeviceId(value: unknown, index: number, failures: Failures): string | undefined {
  const loc = ['samples', index, 'device_id']
  if (typeof value === 'string') {
    if (LOWER_CASE_UUID.test(value)) return value
    const lower = value.toLowerCase()
    if (LOWER_CASE_UUID.test(lower)) return lower
    failures.add(loc, METERING_TEXTS.SAMPLES_UUID(), 'format')
  } else if (value === undefined) failures.missing(['samples', index], 'device_id')
  else failures.add(loc, METERING_TEXTS.SAMPLES_STRING(), 'type')
  return undefined
}

function decodeTimestamp(value: unknown, index: number, failures: Failures): number | undefined {
  const loc = ['samples', index, 'timestamp']
  if (typeof value === 'string') {
    const at = timestampOf(value)
    if (at !== undefined) return at
    failures.add(loc, METERING_TEXTS.SAMPLES_TIME(), 'format')
  } else if (value === undefined) failures.missing(['samples', index], 'timestamp')
  else failures.add(loc, METERING_TEXTS.SAMPLES_STRING(), 'type')
  return undefined
}

/** The instant of a timestamp, epoch milliseconds; undefined for a text that is none. */
export const timestampOf = (text: string): number | undefined => plainUtc(text) ?? parseAnyInstant(text)?.at

const PLAIN_UTC =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/

/** Parses the most frequent form of an instant without the general parser, which takes four times as long. */
const plainUtc = (text: string): number | undefined => (PLAIN_UTC.test(text) ? Date.parse(text) : undefined)

function decodeValues(values: unknown, index: number, failures: Failures): SampleValues | undefined {
  const loc = ['samples', index, 'values']
  if (values === undefined) failures.missing(['samples', index], 'values')
  else if (!isRecord(values)) failures.add(loc, METERING_TEXTS.SAMPLES_OBJECT(), 'type')
  else {
    let count = 0
    const before = failures.list.length
    for (const metric in values) {
      count += 1
      const value = values[metric]
      if (typeof value !== 'number') failures.add([...loc, metric], METERING_TEXTS.SAMPLES_NUMBER(), 'type')
      else if (!Number.isFinite(value))
        failures.add([...loc, metric], METERING_TEXTS.SAMPLES_FINITE(), 'format')
      else if (Math.abs(value) > REGISTER_MAX && isRegister(metric)) {
        failures.add(
          [...loc, metric],
          METERING_TEXTS.SAMPLES_MAXIMUM({ max: Math.floor(REGISTER_MAX) }),
          'maximum',
        )
      } else if (value > VALUE_MAX)
        failures.add([...loc, metric], METERING_TEXTS.SAMPLES_MAXIMUM({ max: VALUE_MAX }), 'maximum')
      else if (value < -VALUE_MAX)
        failures.add([...loc, metric], METERING_TEXTS.SAMPLES_MINIMUM({ min: -VALUE_MAX }), 'minimum')
      if (metric.length > METRIC_NAME_MAX_LENGTH || metric.length === 0) {
        failures.add(
          [...loc, metric],
          METERING_TEXTS.SAMPLES_METRIC_NAME({ max: METRIC_NAME_MAX_LENGTH }),
          'propertyNames',
        )
      }
    }
    if (count === 0) failures.add(loc, METERING_TEXTS.SAMPLES_NO_VALUE(), 'minProperties')
    if (count > SAMPLE_METRICS_MAX) {
      failures.add(loc, METERING_TEXTS.SAMPLES_TOO_MANY_VALUES({ max: SAMPLE_METRICS_MAX }), 'maxProperties')
    }
    return failures.list.length === before ? (values as SampleValues) : undefined
  }
  return undefined
}
