import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  byteChange,
  decimalNumber,
  member,
  space,
  unusualNumber,
  wholeNumber,
  withChange,
} from '../../../../test/support/random-json.ts'
import { SAMPLES_PER_REQUEST_MAX } from '../../../kernel/limits.ts'
import { METRICS, REGISTER_MAX } from '../../../kernel/metrics.ts'
import type { Sample } from '../intake-contract/index.ts'
import { SampleBlock } from './block.ts'
import { decodeSamples } from './decode.ts'
import { decodeSampleBytes } from './decode-bytes.ts'
import type { DecodedSamples } from './decoded-samples.ts'
import { SAMPLE_LAYOUTS_MAX } from './limits.ts'

/** Some of the instants are in the future. */
const NOW = Date.parse('2026-11-20T12:00:00Z')
const ID = '0b9f2a51-0c6f-4a8f-9d3f-0d5f8f6f1a2b'
const OTHER = 'ffffffff-0c6f-4a8f-9d3f-0d5f8f6f1a2b'
const THIRD = 'ffffffff-0c6f-4a8f-9d3f-0d5f8f6f1a2c'

function samplesOf(columns: DecodedSamples): Sample[] {
  const samples: Sample[] = []
  const keys = new Map(columns.devices.map(({ deviceId }, index) => [deviceId, index]))
  columns.addTo(
    {
      add: () => expect.unreachable(),
      addColumns(deviceId, _key, at, { mask, values }) {
        const own = METRICS.flatMap((metric, column) =>
          mask & (1 << column) ? [[metric, values[column]]] : [],
        )
        samples.push({ deviceId, at, values: Object.fromEntries(own) })
      },
    },
    keys,
  )
  return samples
}

/** Whether a body is decoded from its bytes; if it is, the result must equal that of the general decoder. */
function isDecoded(body: string | Buffer): boolean {
  const bytes = Buffer.from(body)
  const columns = decodeSampleBytes(bytes)
  if (!columns) return false
  const samples = decodeSamples(JSON.parse(bytes.toString()))
  expect(samplesOf(columns)).toEqual(samples)
  // The comparison of ten thousand samples takes seconds.
  if (samples.length > 100) return true
  const keys = new Map(columns.devices.map(({ deviceId }, index) => [deviceId, index + 7]))
  const added = new SampleBlock(1, samples.length)
  added.now = NOW
  for (const one of samples) added.add(one, keys.get(one.deviceId) as number)
  const block = columns.toBlock(1, keys, NOW)
  expect(contentOf(block)).toEqual(contentOf(added))
  return true
}

const contentOf = (block: SampleBlock) => ({
  samples: Array.from({ length: block.count }, (_, index) => [block.keyOf(index), block.sampleAt(index)]),
  masks: [...block.masks.subarray(0, block.count)],
  outcome: block.outcome(0, block.count),
})

const sample = (values: string, { id = ID, at = '2026-11-20T12:00:00.000Z' } = {}): string =>
  `{"device_id":"${id}","timestamp":"${at}","values":{${values}}}`
const body = (...samples: string[]): string => `{"samples":[${samples.join()}]}`

describe('a body of samples', () => {
  it.each([
    ['one sample', body(sample('"voltage":230.5'))],
    ['several devices and instants', body(sample('"voltage":1'), sample('"voltage":-20.25', { id: OTHER }))],
    [
      'samples of several layouts',
      body(sample('"voltage":1'), sample('"current":1,"voltage":2'), sample('"voltage":3')),
    ],
    ['space', `\n{ "samples" : [ ${sample(' "voltage" : 1 ')} ,\t${sample(' "voltage" : 2 ')}\r\n] }\n`],
    ['another order', body(`{"values":{"voltage":1},"timestamp":"2026-11-20T12:00Z","device_id":"${ID}"}`)],
    ['an offset', body(sample('"voltage":1', { at: '2026-11-20T15:00:00+03:00' }))],
    ['no offset', body(sample('"voltage":1', { at: '2026-11-20 15:00' }))],
    ['the last day of a month', body(sample('"voltage":1', { at: '2028-02-29T00:00:00Z' }))],
    ['a year before 1000', body(sample('"voltage":1', { at: '0099-02-01T00:00:00Z' }))],
    ['exponents', body(sample('"voltage":1e-7'), sample('"voltage":2.5E+2'))],
    ['long numbers', body(sample('"voltage":230.10000000000002'), sample('"voltage":12345678901234567890'))],
    ['negative zero', body(sample('"voltage":-0'))],
  ])('is decoded from its bytes: %s', (_what, text) => {
    expect(isDecoded(text)).toBe(true)
  })

  it.each([
    ['no sample', body()],
    ['no list', '{"samples":{}}'],
    ['a list alone', `[${sample('"voltage":1')}]`],
    ['another property', `{"samples":[${sample('"voltage":1')}],"note":1}`],
    ['another property of a sample', body(sample('"voltage":1').replace('{', '{"note":1,'))],
    ['a repeated property', body(sample('"voltage":1').replace('{', `{"device_id":"${ID}",`))],
    ['a repeated metric', body(sample('"voltage":1,"voltage":2'))],
    ['no values', body(sample(''))],
    ['no device', body('{"timestamp":"2026-11-20T12:00:00Z","values":{"voltage":1}}')],
    ['a custom metric', body(sample('"salt":1'))],
    ['an escape in a name', body(sample('"voltag\\u0065":1'))],
    ['an escape in a device', body(sample('"voltage":1', { id: ID.replace('0', '\\u0030') }))],
    ['upper case in a device', body(sample('"voltage":1', { id: ID.toUpperCase() }))],
    ['a device that is none', body(sample('"voltage":1', { id: 'x'.repeat(36) }))],
    ['a day that does not exist', body(sample('"voltage":1', { at: '2026-02-29T00:00:00Z' }))],
    ['an hour that does not exist', body(sample('"voltage":1', { at: '2026-02-20T24:00:01Z' }))],
    ['a text', body(sample('"voltage":"1"'))],
    ['null', body(sample('"voltage":null'))],
    ['a leading zero', body(sample('"voltage":01'))],
    ['no digit after the point', body(sample('"voltage":1.'))],
    ['a plus sign', body(sample('"voltage":+1'))],
    ['two points', body(sample('"voltage":1.2.3'))],
    ['a number beyond the range of doubles', body(sample('"voltage":1e400'))],
    ['a value out of range', body(sample('"voltage":1e101'))],
    ['a register out of range', body(sample(`"import_active_energy":${REGISTER_MAX * 2}`))],
    ['a number of 500 digits', body(sample(`"voltage":1${'0'.repeat(499)}`))],
    ['a number of 500 digits and an exponent', body(sample(`"voltage":0.${'0'.repeat(500)}1e5`))],
    ['a byte order mark', `\u{feff}${body(sample('"voltage":1'))}`],
    ['space that JSON does not allow', body(`\u000b${sample('"voltage":1')}`)],
    ['a trailing comma', body(sample('"voltage":1'), '')],
    ['text at the end', `${body(sample('"voltage":1'))}}`],
    ['nothing', ''],
    ['too many samples', body(...new Array(SAMPLES_PER_REQUEST_MAX + 1).fill(sample('"voltage":1')))],
    [
      'too many layouts',
      body(...METRICS.slice(0, SAMPLE_LAYOUTS_MAX + 1).map((metric) => sample(`"${metric}":1`))),
    ],
  ])('is left to the general decoder: %s', (_what, text) => {
    expect(isDecoded(text)).toBe(false)
  })

  it('is left to the general decoder wherever it is cut off', () => {
    const whole = body(sample('"voltage":1,"current":2.5'), sample('"voltage":1,"current":2.5'))
    for (let length = 0; length < whole.length; length++)
      expect(isDecoded(whole.slice(0, length))).toBe(false)
  })

  it('has at most as many samples as a request may have', () => {
    expect(isDecoded(body(...new Array(SAMPLES_PER_REQUEST_MAX).fill(sample('"voltage":1'))))).toBe(true)
  })
})

const number = fc.oneof(
  { weight: 20, arbitrary: wholeNumber },
  { weight: 10, arbitrary: decimalNumber },
  { weight: 10, arbitrary: fc.double({ noNaN: true }).map((one) => JSON.stringify(one)) },
  unusualNumber,
)
const value = fc.oneof(
  { weight: 60, arbitrary: number },
  fc.constantFrom('null', 'true', '"12"', '{}', '[1]', '"a\\"b"'),
)
const metric = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...METRICS) },
  fc.constantFrom('x', '__proto__', '7', 'volt\\u0061ge', 'gerilim ç'),
)
const values = fc
  .array(member(metric, value), { minLength: 1, maxLength: 4 })
  .map((list) => `{${list.join()}}`)
const device = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(ID, OTHER).map((id) => `"${id}"`) },
  fc.constantFrom('7', '"x"', `"${ID.toUpperCase()}"`, `"${ID}0"`),
)
const instant = fc.oneof(
  { weight: 20, arbitrary: fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date)) },
  {
    weight: 20,
    arbitrary: fc.constantFrom('"2026-11-20T09:00:00Z"', '"2026-11-20T09:00:00.5+03:00"', '"2026-11-31"'),
  },
  fc.constantFrom('"soon"', '5', 'null', '""'),
)
const anySample = fc
  .tuple(
    member(fc.constant('device_id'), device),
    member(fc.constant('timestamp'), instant),
    member(fc.constant('values'), values),
    fc.oneof(
      { weight: 20, arbitrary: fc.constant(undefined) },
      member(fc.constant('values'), values),
      member(fc.constant('q'), value),
    ),
  )
  .chain((members) => {
    const given = members.filter((one) => one !== undefined)
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant(given) },
      fc.shuffledSubarray(given, { minLength: Math.max(1, given.length - 1) }),
    )
  })
  .map((members) => `{${members.join()}}`)
const usualSample = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...METRICS), { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(ID, OTHER, THIRD), fc.nat()), { minLength: 1, maxLength: 8 }),
    space,
  )
  .map(([metrics, list, gap]) =>
    list
      .map(([id, figure]) => sample(metrics.map((name) => `"${name}":${gap}${figure / 1000}`).join(), { id }))
      .join(),
  )
const anyBody = fc
  .array(fc.oneof({ weight: 3, arbitrary: usualSample }, anySample), { minLength: 1, maxLength: 4 })
  .map((samples) => Buffer.from(body(...samples)))

it('any body has the result of the general decoder, or is left to it', () => {
  let decoded = 0
  fc.assert(
    fc.property(anyBody, fc.option(byteChange), (bytes, change) => {
      if (isDecoded(change ? withChange(bytes, change) : bytes)) decoded += 1
    }),
    { numRuns: 3000 },
  )
  // The test would be empty if no body was decoded from its bytes.
  expect(decoded).toBeGreaterThan(300)
})

it('any number has the value of JSON.parse, or is left to the general decoder', () => {
  fc.assert(
    fc.property(number, (text) => {
      isDecoded(body(sample('"voltage":1'), sample(`"voltage":${text}`)))
    }),
    { numRuns: 2000 },
  )
})
