import type { ReactNode } from 'react'
import { useCan } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Notice } from '../../ui/controls.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { INSIGHT_TEXTS } from './texts.ts'
import type { DataOf, WidgetData, WidgetType } from './types.ts'
import { CostChart, CostFigure } from './views/cost.tsx'
import { EnergyChart, EnergyFigure, OsosChart } from './views/energy.tsx'
import { LiveGauge, LiveValue, Powers, ThreePhases } from './views/live.tsx'
import { AlarmSummary, NettingBalance, ReactiveRatio, ReadRate } from './views/states.tsx'

interface ViewProps {
  readonly title: string
  readonly data: object
}

/** The views of the types whose data are in the response of the dashboard, each with the data of its type. */
const VIEWS: Readonly<Partial<Record<WidgetType, (props: ViewProps) => ReactNode>>> = {
  device_read_rate: ({ title, data }) => <ReadRate title={title} data={data as DataOf<'device-read-rate'>} />,
  consumption_chart: ({ title, data }) => (
    <EnergyChart title={title} data={data as DataOf<'consumption-chart'>} />
  ),
  consumption_numeric: ({ title, data }) => (
    <EnergyFigure title={title} data={data as DataOf<'consumption-numeric'>} />
  ),
  cost_chart: ({ title, data }) => <CostChart title={title} data={data as DataOf<'cost-chart'>} />,
  cost_numeric: ({ title, data }) => <CostFigure title={title} data={data as DataOf<'cost-numeric'>} />,
  reactive_ratio: ({ title, data }) => <ReactiveRatio title={title} data={data as DataOf<'reactive'>} />,
  realtime_value: ({ title, data }) => <LiveValue title={title} data={data as DataOf<'realtime-value'>} />,
  realtime_gauge: ({ title, data }) => <LiveGauge title={title} data={data as DataOf<'realtime-gauge'>} />,
  realtime_3phase: ({ title, data }) => (
    <ThreePhases title={title} data={data as DataOf<'realtime-3phase'>} />
  ),
  realtime_power: ({ title, data }) => <Powers title={title} data={data as DataOf<'realtime-power'>} />,
  alarm_summary: ({ title, data }) => <AlarmSummary title={title} data={data as DataOf<'alarm-summary'>} />,
}

const FEATURES = {
  osos_consumption_chart: { permission: 'read:osos', View: OsosChart },
  mahsuplasma_balance: { permission: 'read:netting', View: NettingBalance },
} as const
const isFeature = (type: WidgetType): type is keyof typeof FEATURES => type in FEATURES

interface WidgetContentProps {
  readonly title: string
  readonly type: WidgetType
  /** Undefined while it is read, and for a widget that is not shown. */
  readonly data: WidgetData | undefined
}

/** What a widget shows: its data, why they cannot be computed, or what is missing. */
export function WidgetContent({ title, type, data: widget }: WidgetContentProps) {
  const t = useText()
  if (!widget) return <p className="muted">{t(UI_TEXTS.UI_LOADING())}</p>
  if (widget.error !== null) return <Notice tone="warning">{widget.error.message}</Notice>
  if (isFeature(type)) return <FeatureContent title={title} type={type} source={widget.source} />
  const view = VIEWS[type]
  return view && widget.data !== null ? view({ title, data: widget.data }) : null
}

interface FeatureContentProps {
  readonly title: string
  readonly type: keyof typeof FEATURES
  readonly source: string | null
}

/** The two types whose data is read from their own features, with their own permissions. */
function FeatureContent({ title, type, source }: FeatureContentProps) {
  const t = useText()
  const can = useCan()
  const { permission, View } = FEATURES[type]
  if (source === null) return <p className="muted">{t(INSIGHT_TEXTS.INSIGHT_NOT_CONFIGURED())}</p>
  if (!can(permission)) return <p className="muted">{t(INSIGHT_TEXTS.INSIGHT_NO_PERMISSION())}</p>
  return <View title={title} source={source} />
}
