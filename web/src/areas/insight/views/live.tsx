/** Widgets of live values. A value that is too old is unknown, and the widget says that the device is offline. */
import { Link } from '@tanstack/react-router'
import { formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Tag, type Tone } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Detail, Details } from '../../../ui/details.tsx'
import { HalfGauge } from '../../../ui/half-gauge.tsx'
import { Measured } from '../measured.tsx'
import { INSIGHT_TEXTS } from '../texts.ts'
import type { DataOf, WidgetViewProps } from '../types.ts'

interface LiveStateProps {
  readonly data: {
    readonly device_id: string
    readonly device_name: string
    readonly timestamp: string | null
    readonly device_status: string
  }
}

/** The device, and the time of the value. */
function LiveState({ data: { device_id, device_name, timestamp, device_status } }: LiveStateProps) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <p className="row muted">
      <Link to="/devices/$deviceId" params={{ deviceId: device_id }}>
        {device_name}
      </Link>
      {timestamp !== null && <span>{formatInstant(timestamp, 'seconds', language)}</span>}
      {device_status === 'offline' && <Tag tone="danger">{t(INSIGHT_TEXTS.INSIGHT_OFFLINE())}</Tag>}
    </p>
  )
}

export function LiveValue({ data }: WidgetViewProps<DataOf<'realtime-value'>>) {
  return (
    <>
      <div className="figure">
        <Measured value={data.value} unit={data.unit} />
      </div>
      <LiveState data={data} />
    </>
  )
}

type GaugeData = DataOf<'realtime-gauge'>

function toneOf({ value, warning_threshold, critical_threshold }: GaugeData): Tone {
  if (value === null) return 'neutral'
  if (critical_threshold !== null && value >= critical_threshold) return 'danger'
  return warning_threshold !== null && value >= warning_threshold ? 'warning' : 'success'
}

/** Without ends the scale is from zero to the highest threshold or to the value. */
function scaleOf({ value, min_range, max_range, warning_threshold, critical_threshold }: GaugeData) {
  const low = min_range ?? Math.min(0, value ?? 0)
  const known = [critical_threshold, warning_threshold, value].filter((one) => one !== null)
  const high = max_range ?? Math.max(...known, low + 1)
  const shareOf = (one: number) => (one - low) / (high - low)
  return { low, high, shareOf }
}

export function LiveGauge({ data }: WidgetViewProps<GaugeData>) {
  const t = useText()
  const { language } = useLanguage()
  const tone = toneOf(data)
  const { low, high, shareOf } = scaleOf(data)
  const marks = [
    { at: data.warning_threshold, tone: 'warning' },
    { at: data.critical_threshold, tone: 'danger' },
  ] as const
  const number = (value: number) => value.toLocaleString(language)
  return (
    <>
      <HalfGauge
        share={data.value === null ? undefined : shareOf(data.value)}
        tone={tone}
        marks={marks.flatMap((mark) =>
          mark.at === null || mark.at < low || mark.at > high
            ? []
            : [{ share: shareOf(mark.at), tone: mark.tone }],
        )}
      />
      <div className="figure half-gauge-figure">
        <Measured value={data.value} unit={data.unit} />
      </div>
      <p className="row muted">
        {t(INSIGHT_TEXTS.INSIGHT_SCALE({ low: number(low), high: number(high), unit: data.unit ?? '' }))}
        {tone === 'danger' && <Tag tone="danger">{t(INSIGHT_TEXTS.INSIGHT_CRITICAL())}</Tag>}
        {tone === 'warning' && <Tag tone="warning">{t(INSIGHT_TEXTS.INSIGHT_WARNING())}</Tag>}
      </p>
      <LiveState data={data} />
    </>
  )
}

const PHASES = ['L1', 'L2', 'L3'] as const

export function ThreePhases({ title, data }: WidgetViewProps<DataOf<'realtime-3phase'>>) {
  const t = useText()
  const rows = [
    { phase: PHASES[0], volt: data.voltage_l1, ampere: data.current_l1, power: data.active_power_l1 },
    { phase: PHASES[1], volt: data.voltage_l2, ampere: data.current_l2, power: data.active_power_l2 },
    { phase: PHASES[2], volt: data.voltage_l3, ampere: data.current_l3, power: data.active_power_l3 },
  ]
  return (
    <>
      <DataTable
        report={null}
        caption={title}
        rows={rows}
        keyOf={({ phase }) => phase}
        empty=""
        columns={[
          { id: 'phase', title: t(INSIGHT_TEXTS.INSIGHT_PHASE()), cell: ({ phase }) => phase },
          {
            id: 'voltage',
            title: t(INSIGHT_TEXTS.INSIGHT_VOLTAGE()),
            isNumber: true,
            cell: ({ volt }) => <Measured value={volt} unit="V" places={1} />,
          },
          {
            id: 'current',
            title: t(INSIGHT_TEXTS.INSIGHT_CURRENT()),
            isNumber: true,
            cell: ({ ampere }) => <Measured value={ampere} unit="A" places={2} />,
          },
          {
            id: 'power',
            title: t(INSIGHT_TEXTS.INSIGHT_ACTIVE_POWER()),
            isNumber: true,
            cell: ({ power }) => <Measured value={power} unit="kW" />,
          },
        ]}
      />
      <LiveState data={data} />
    </>
  )
}

export function Powers({ data }: WidgetViewProps<DataOf<'realtime-power'>>) {
  const t = useText()
  return (
    <>
      <Details areNumbers>
        <Detail term={t(INSIGHT_TEXTS.INSIGHT_ACTIVE_POWER())}>
          <Measured value={data.active_power} unit="kW" />
        </Detail>
        <Detail term={t(INSIGHT_TEXTS.INSIGHT_REACTIVE_POWER())}>
          <Measured value={data.reactive_power} unit="kvar" />
        </Detail>
        <Detail term={t(INSIGHT_TEXTS.INSIGHT_APPARENT_POWER())}>
          <Measured value={data.apparent_power} unit="kVA" />
        </Detail>
        <Detail term={t(INSIGHT_TEXTS.INSIGHT_POWER_FACTOR())}>
          <Measured value={data.power_factor} />
        </Detail>
      </Details>
      <LiveState data={data} />
    </>
  )
}
