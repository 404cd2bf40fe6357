/** Widgets of states: samples that arrived, reactive ratios, open alarms, and the balance of a netting group. */
import { Link } from '@tanstack/react-router'
import { useGet } from '../../../api/queries.ts'
import { formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Detail, Details } from '../../../ui/details.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { type States, StateTag } from '../../../ui/states.tsx'
import { Energy } from '../../../ui/value.tsx'
import { SEVERITIES } from '../../alarms/policy-states.ts'
import { NETTING_TEXTS } from '../../netting/texts.ts'
import { Measured, QualityTags } from '../measured.tsx'
import { INSIGHT_TEXTS } from '../texts.ts'
import type { DataOf, WidgetViewProps } from '../types.ts'

export function ReadRate({ title, data }: WidgetViewProps<DataOf<'device-read-rate'>>) {
  const t = useText()
  return (
    <>
      <div className="figure">
        <Measured value={data.read_rate_pct} unit="%" places={1} />
      </div>
      <DataTable
        report={null}
        caption={title}
        rows={data.devices}
        keyOf={({ device_id }) => device_id}
        empty={t(INSIGHT_TEXTS.INSIGHT_NO_DATA())}
        columns={[
          {
            id: 'device',
            title: t(INSIGHT_TEXTS.INSIGHT_DEVICE()),
            cell: ({ device_id, device_name }) => (
              <Link to="/devices/$deviceId" params={{ deviceId: device_id }}>
                {device_name}
              </Link>
            ),
          },
          {
            id: 'received',
            title: t(INSIGHT_TEXTS.INSIGHT_RECEIVED()),
            isNumber: true,
            cell: ({ received_count }) => <Measured value={received_count} />,
          },
          {
            id: 'expected',
            title: t(INSIGHT_TEXTS.INSIGHT_EXPECTED()),
            isNumber: true,
            cell: ({ expected_count }) => <Measured value={expected_count} />,
          },
          {
            id: 'rate',
            title: t(INSIGHT_TEXTS.INSIGHT_RATE()),
            isNumber: true,
            cell: ({ read_rate_pct }) => <Measured value={read_rate_pct} unit="%" places={1} />,
          },
        ]}
      />
    </>
  )
}

const RATIO_STATES: States<'ok' | 'warning' | 'exceeded' | 'unknown'> = {
  ok: { text: INSIGHT_TEXTS.INSIGHT_RATIO_OK, tone: 'success' },
  warning: { text: INSIGHT_TEXTS.INSIGHT_RATIO_WARNING, tone: 'warning' },
  exceeded: { text: INSIGHT_TEXTS.INSIGHT_RATIO_EXCEEDED, tone: 'danger' },
  unknown: { text: INSIGHT_TEXTS.INSIGHT_RATIO_UNKNOWN },
}

export function ReactiveRatio({ title, data: { total, limits } }: WidgetViewProps<DataOf<'reactive'>>) {
  const t = useText()
  const rows = [
    {
      name: t(INSIGHT_TEXTS.INSIGHT_INDUCTIVE()),
      ratio: total.inductive_ratio_pct,
      limit: limits.inductive_limit_pct,
      status: total.inductive_status,
    },
    {
      name: t(INSIGHT_TEXTS.INSIGHT_CAPACITIVE()),
      ratio: total.capacitive_ratio_pct,
      limit: limits.capacitive_limit_pct,
      status: total.capacitive_status,
    },
  ]
  return (
    <>
      <p className="row">
        <strong>
          <Measured value={total.active_energy_kwh} unit="kWh" />
        </strong>
        <QualityTags quality={total.data_quality} isEstimated={total.is_estimated} />
      </p>
      <DataTable
        report={null}
        caption={title}
        rows={rows}
        keyOf={({ name }) => name}
        empty=""
        columns={[
          { id: 'name', title: t(INSIGHT_TEXTS.INSIGHT_KIND()), cell: ({ name }) => name },
          {
            id: 'ratio',
            title: t(INSIGHT_TEXTS.INSIGHT_RATIO()),
            isNumber: true,
            cell: ({ ratio }) => <Measured value={ratio} places={2} />,
          },
          {
            id: 'limit',
            title: t(INSIGHT_TEXTS.INSIGHT_LIMIT()),
            isNumber: true,
            cell: ({ limit }) => <Measured value={limit} places={2} />,
          },
          {
            id: 'status',
            title: t(INSIGHT_TEXTS.INSIGHT_STATUS()),
            cell: ({ status }) => <StateTag states={RATIO_STATES} value={status} />,
          },
        ]}
      />
    </>
  )
}

export function AlarmSummary({ data }: WidgetViewProps<DataOf<'alarm-summary'>>) {
  const t = useText()
  const severities = ['critical', 'warning', 'info'] as const
  return (
    <>
      <div className="figure">
        {data.open_count} <small>{t(INSIGHT_TEXTS.INSIGHT_OPEN_ALARMS())}</small>
      </div>
      <Details areNumbers>
        {severities
          .filter((severity) => data.severities.includes(severity))
          .map((severity) => (
            <Detail key={severity} term={t(SEVERITIES[severity].text())}>
              {data.by_severity[severity]}
            </Detail>
          ))}
      </Details>
      <p>
        <Link to="/alarms">{t(INSIGHT_TEXTS.INSIGHT_OPEN_LIST())}</Link>
      </p>
    </>
  )
}

/** The path of the data of the feature, taken apart: `/api/mahsuplasma/groups/<id>/dashboard-summary?period=…`. */
function summaryRequest(source: string) {
  const url = new URL(source, location.origin)
  return {
    path: { id: url.pathname.split('/')[4] ?? '' },
    query: { period: url.searchParams.get('period') ?? '' },
  }
}

export function NettingBalance({ source }: { readonly source: string }) {
  const t = useText()
  const { language } = useLanguage()
  const query = useGet('/api/mahsuplasma/groups/{id}/dashboard-summary', summaryRequest(source))
  return (
    <Loaded query={query}>
      {(summary) => (
        <>
          <p className="row">
            <Link
              to="/netting/groups/$groupId"
              params={{ groupId: summary.group_id }}
              search={{ month: summary.period.slice(0, 7) }}
            >
              {t(INSIGHT_TEXTS.INSIGHT_OPEN_GROUP())}
            </Link>
            <span className="muted">{formatMonth(summary.period, language)}</span>
          </p>
          {summary.has_data ? (
            <Details areNumbers>
              <Detail term={t(NETTING_TEXTS.NETTING_PRODUCTION())}>
                <Energy value={summary.toplam_uretim_kwh} />
              </Detail>
              <Detail term={t(NETTING_TEXTS.NETTING_CONSUMPTION())}>
                <Energy value={summary.toplam_tuketim_kwh} />
              </Detail>
              <Detail term={t(NETTING_TEXTS.NETTING_MATCHED())}>
                <Energy value={summary.mahsuplasan_tuketim_kwh} />
              </Detail>
              <Detail term={t(NETTING_TEXTS.NETTING_PAID())}>
                <Energy value={summary.bedelli_fazla_kwh} />
              </Detail>
              <Detail term={t(NETTING_TEXTS.NETTING_OVER_LIMIT())}>
                <Energy value={summary.skb_kwh} />
              </Detail>
              <Detail term={t(NETTING_TEXTS.NETTING_FREE())}>
                <Energy value={summary.bedelsiz_kwh} />
              </Detail>
              <Detail term={t(INSIGHT_TEXTS.INSIGHT_LIMIT_LEFT())}>
                <Energy value={summary.bedelli_limit_kalan_kwh} />
              </Detail>
            </Details>
          ) : (
            <p className="muted">{t(INSIGHT_TEXTS.INSIGHT_NOT_CALCULATED())}</p>
          )}
        </>
      )}
    </Loaded>
  )
}
