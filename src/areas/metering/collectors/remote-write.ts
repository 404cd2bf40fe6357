/**
 * The protobuf message `prometheus.WriteRequest` of remote write 1.0. It is read field by field, so that a hostile
 * message creates no objects beyond the limits. Metadata and exemplars are skipped.
 */
import { createRequire } from 'node:module'
import type protobuf from 'protobufjs'
import { COLLECTOR_POINT_PARTS_MAX, COLLECTOR_POINTS_MAX } from './limits.ts'

export interface TimeSeries {
  readonly labels: ReadonlyMap<string, string>
  /** `at`: epoch milliseconds. Stale markers are NaN. */
  readonly samples: readonly { readonly value: number; readonly at: number }[]
  readonly hasHistograms: boolean
}

const require = createRequire(import.meta.url)

/** The content is no WriteRequest. */
export class RemoteWriteFault extends Error {}
/** The message has more samples, series or labels than permitted. */
export class RemoteWriteTooLarge extends Error {}

const VARINT = 0
const FIXED_64 = 1
const BYTES = 2

/** Reads a field; returns false for one that it does not know. */
type ReadField = (field: number, wireType: number) => boolean

export function decodeWriteRequest(content: Buffer): TimeSeries[] {
  // The package is loaded with the first request (ADR 0170).
  const { Reader } = require('protobufjs') as typeof protobuf
  const reader = Reader.create(content)
  const series: TimeSeries[] = []
  let points = 0
  try {
    readMessage(reader, content.length, (field, wireType) => {
      if (field !== 1 || wireType !== BYTES) return false
      const one = readSeries(reader)
      points += Math.max(1, one.samples.length)
      if (points > COLLECTOR_POINTS_MAX) throw new RemoteWriteTooLarge('too many samples')
      series.push(one)
      return true
    })
  } catch (error) {
    if (error instanceof RemoteWriteTooLarge) throw error
    throw new RemoteWriteFault((error as Error).message)
  }
  return series
}

function readMessage(reader: protobuf.Reader, end: number, readField: ReadField): void {
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (!readField(tag >>> 3, tag & 7)) reader.skipType(tag & 7)
  }
  if (reader.pos !== end) throw new RemoteWriteFault('a field exceeds its message')
}

/** Returns where an embedded message ends. */
function endOf(reader: protobuf.Reader): number {
  const length = reader.uint32()
  return reader.pos + length
}

function readSeries(reader: protobuf.Reader): TimeSeries {
  const labels = new Map<string, string>()
  const samples: { value: number; at: number }[] = []
  let hasHistograms = false
  readMessage(reader, endOf(reader), (field, wireType) => {
    if (wireType !== BYTES) return false
    if (field === 1) {
      const { name, value } = readLabel(reader)
      labels.set(name, value)
      if (labels.size > COLLECTOR_POINT_PARTS_MAX) throw new RemoteWriteTooLarge('too many labels')
      return true
    }
    if (field === 2) {
      samples.push(readSample(reader))
      if (samples.length > COLLECTOR_POINTS_MAX) throw new RemoteWriteTooLarge('too many samples')
      return true
    }
    if (field === 4) hasHistograms = true
    return false
  })
  return { labels, samples, hasHistograms }
}

function readLabel(reader: protobuf.Reader): { name: string; value: string } {
  let name = ''
  let value = ''
  readMessage(reader, endOf(reader), (field, wireType) => {
    if (wireType !== BYTES || (field !== 1 && field !== 2)) return false
    const text = reader.string()
    if (field === 1) name = text
    else value = text
    return true
  })
  return { name, value }
}

function readSample(reader: protobuf.Reader): { value: number; at: number } {
  let value = 0
  let at = 0
  readMessage(reader, endOf(reader), (field, wireType) => {
    if (field === 1 && wireType === FIXED_64) value = reader.double()
    else if (field === 2 && wireType === VARINT) at = Number(String(reader.int64()))
    else return false
    return true
  })
  return { value, at }
}
