import protobuf from 'protobufjs'

export interface TestMetric {
  readonly name?: string
  readonly alias?: number
  readonly timestamp?: number
  readonly datatype?: number
  readonly isHistorical?: boolean
  readonly isNull?: boolean
  readonly engUnit?: string
  readonly int?: number
  readonly long?: string
  readonly float?: number
  readonly double?: number
  readonly boolean?: boolean
  readonly text?: string
}

/** Tag of a field: its number and wire type (0 varint, 1 eight bytes, 2 with a length, 5 four bytes). */
const tag = (field: number, type: 0 | 1 | 2 | 5) => (field << 3) | type

function properties(engUnit: string): Uint8Array {
  const value = protobuf.Writer.create()
    .uint32(tag(1, 0))
    .uint32(12)
    .uint32(tag(8, 2))
    .string(engUnit)
    .finish()
  const set = protobuf.Writer.create().uint32(tag(1, 2)).string('engUnit')
  return set.uint32(tag(2, 2)).bytes(value).finish()
}

function metricBytes(metric: TestMetric): Uint8Array {
  const writer = protobuf.Writer.create()
  if (metric.name !== undefined) writer.uint32(tag(1, 2)).string(metric.name)
  if (metric.alias !== undefined) writer.uint32(tag(2, 0)).uint64(metric.alias)
  if (metric.timestamp !== undefined) writer.uint32(tag(3, 0)).uint64(metric.timestamp)
  if (metric.datatype !== undefined) writer.uint32(tag(4, 0)).uint32(metric.datatype)
  if (metric.isHistorical !== undefined) writer.uint32(tag(5, 0)).bool(metric.isHistorical)
  if (metric.isNull !== undefined) writer.uint32(tag(7, 0)).bool(metric.isNull)
  if (metric.engUnit !== undefined) writer.uint32(tag(9, 2)).bytes(properties(metric.engUnit))
  if (metric.int !== undefined) writer.uint32(tag(10, 0)).uint32(metric.int)
  if (metric.long !== undefined) writer.uint32(tag(11, 0)).uint64(metric.long)
  if (metric.float !== undefined) writer.uint32(tag(12, 5)).float(metric.float)
  if (metric.double !== undefined) writer.uint32(tag(13, 1)).double(metric.double)
  if (metric.boolean !== undefined) writer.uint32(tag(14, 0)).bool(metric.boolean)
  if (metric.text !== undefined) writer.uint32(tag(15, 2)).string(metric.text)
  return writer.finish()
}

/** A payload written field by field, independent of the descriptor that reads it. */
export function sparkplugPayload(
  metrics: readonly TestMetric[],
  { timestamp, seq, uuid }: { timestamp?: number; seq?: number; uuid?: string } = {},
): Buffer {
  const writer = protobuf.Writer.create()
  if (timestamp !== undefined) writer.uint32(tag(1, 0)).uint64(timestamp)
  for (const metric of metrics) writer.uint32(tag(2, 2)).bytes(metricBytes(metric))
  if (seq !== undefined) writer.uint32(tag(3, 0)).uint64(seq)
  if (uuid !== undefined) writer.uint32(tag(4, 2)).string(uuid)
  return Buffer.from(writer.finish())
}
