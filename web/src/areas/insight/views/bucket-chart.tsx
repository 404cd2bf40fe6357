import { formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { INSIGHT_TEXTS } from '../texts.ts'
import { bucketEnd, type Interval, rowStyle, timeStyle } from './buckets.ts'

export interface BucketValue {
  readonly timestamp: string
  /** For the height of its column; null is unknown and has none. */
  readonly value: number | null
  /** The value as it is shown. */
  readonly text: string
  readonly isDoubtful: boolean
}

interface BucketChartProps {
  /** Also the caption of the table. */
  readonly title: string
  readonly valueTitle: string
  readonly interval: Interval
  readonly start: string
  readonly end: string
  readonly buckets: readonly BucketValue[]
  readonly color: `--${string}`
}

/** The values of a widget by time as columns, with their table behind it. */
export function BucketChart({ title, valueTitle, interval, start, end, buckets, color }: BucketChartProps) {
  const t = useText()
  const { language } = useLanguage()
  const [from, to] = [Date.parse(start), Date.parse(end)]
  const timeOf = (timestamp: string) => formatInstant(timestamp, rowStyle(interval), language)
  const known = buckets.flatMap((bucket) =>
    bucket.value === null ? [] : [{ ...bucket, value: bucket.value, from: Date.parse(bucket.timestamp) }],
  )
  const largest = known.reduce<(typeof known)[number] | undefined>(
    (best, one) => (best === undefined || one.value > best.value ? one : best),
    undefined,
  )
  if (!largest) return <p className="muted">{t(INSIGHT_TEXTS.INSIGHT_NO_DATA())}</p>
  return (
    <>
      <BarChart
        bars={known.map((bucket) => ({
          from: bucket.from,
          to: bucketEnd(bucket.from, interval),
          value: bucket.value,
          text: `${timeOf(bucket.timestamp)}: ${bucket.text}`,
          isDoubtful: bucket.isDoubtful,
        }))}
        from={from}
        to={to}
        color={color}
        maxText={largest.text}
        timeStyle={timeStyle(interval, to - from)}
      />
      <details>
        <summary>{t(INSIGHT_TEXTS.INSIGHT_TABLE())}</summary>
        <DataTable
          report={null}
          caption={title}
          rows={buckets}
          keyOf={({ timestamp }) => timestamp}
          empty={t(INSIGHT_TEXTS.INSIGHT_NO_DATA())}
          columns={[
            { id: 'time', title: t(INSIGHT_TEXTS.INSIGHT_TIME()), cell: (row) => timeOf(row.timestamp) },
            { id: 'value', title: valueTitle, isNumber: true, cell: ({ text }) => text },
          ]}
        />
      </details>
    </>
  )
}
