import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { SESSION_ACTIONS } from '../../records/charging-resources.ts'
import { ActionButtons } from '../../records/record-buttons.tsx'
import { Tag } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { TimeChart } from '../../ui/time-chart.tsx'
import { Energy, Money } from '../../ui/value.tsx'
import { SESSION_STATES } from './states.ts'
import { CHARGING_TEXTS } from './texts.ts'

const REFRESH_MS = 5_000
/** Points of the curve; the service reduces longer ones. */
const POINTS = 500

type Detail = NonNullable<ReturnType<typeof useGet<'/api/ocpp/sessions/{id}'>>['data']>
type Curve = NonNullable<ReturnType<typeof useGet<'/api/ocpp/sessions/{id}/curve'>>['data']>

/** One charging session: its figures, its power over time and the parts of its cost. */
export function SessionPage() {
  const t = useText()
  const { sessionId } = useParams({ from: '/signed-in/charging/sessions/$sessionId' })
  const path = { id: sessionId }
  const query = useGet('/api/ocpp/sessions/{id}', { path }, { refetchInterval: REFRESH_MS })
  const curve = useGet(
    '/api/ocpp/sessions/{id}/curve',
    { path, query: { limit: POINTS } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Page
      title={t(CHARGING_TEXTS.CHARGING_SESSION())}
      actions={
        query.data && (
          <ActionButtons
            record={{ ...query.data }}
            nameField="transaction_number"
            actions={SESSION_ACTIONS}
          />
        )
      }
    >
      <Loaded query={query}>
        {(session) => (
          <>
            <Figures session={session} />
            <Loaded query={curve}>{(data) => <PowerCurve curve={data} />}</Loaded>
            <CostParts session={session} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Figures({ session }: { readonly session: Detail }) {
  const t = useText()
  const { language } = useLanguage()
  const { ended_at, meter_start_wh, meter_stop_wh, flags } = session
  const register = (value: number | null) => value?.toLocaleString(language) ?? t(UI_TEXTS.UI_UNKNOWN())
  return (
    <section className="card">
      <div className="row">
        <StateTag states={SESSION_STATES} value={session.state} />
        {session.charging_state !== null && <Tag>{session.charging_state}</Tag>}
      </div>
      <DetailList
        entries={[
          [t(CHARGING_TEXTS.CHARGING_STARTED()), formatInstant(session.started_at, 'dateTime', language)],
          [
            t(CHARGING_TEXTS.CHARGING_END()),
            ended_at === null ? null : formatInstant(ended_at, 'dateTime', language),
          ],
          [t(CHARGING_TEXTS.CHARGING_ENERGY()), <Energy key="energy" value={session.energy_kwh} />],
          [t(CHARGING_TEXTS.CHARGING_COST()), <Money key="cost" value={session.cost_try} />],
          [
            t(CHARGING_TEXTS.CHARGING_REGISTER()),
            meter_start_wh === null ? null : `${register(meter_start_wh)} – ${register(meter_stop_wh)} Wh`,
          ],
          [t(CHARGING_TEXTS.CHARGING_ID_TAG()), session.id_tag],
          [t(CHARGING_TEXTS.CHARGING_CONNECTOR_COLUMN()), String(session.connector_id)],
          [
            t(CHARGING_TEXTS.CHARGING_TRANSACTION()),
            session.ocpp_transaction_id ?? String(session.transaction_number),
          ],
          [t(CHARGING_TEXTS.CHARGING_STOP_REASON()), session.stop_reason],
          [t(CHARGING_TEXTS.CHARGING_FLAGS()), flags.join(', ')],
        ]}
      />
    </section>
  )
}

function PowerCurve({ curve: { session_id, points } }: { readonly curve: Curve }) {
  const t = useText()
  const { language } = useLanguage()
  const line = useMemo(
    () =>
      points.flatMap(({ timestamp, power_kw }) =>
        power_kw === null ? [] : [{ at: Date.parse(timestamp), value: power_kw }],
      ),
    [points],
  )
  const figure = (value: number | null, unit: string) =>
    value === null ? '—' : `${value.toLocaleString(language)} ${unit}`
  return (
    <section className="card">
      <h2>{t(CHARGING_TEXTS.CHARGING_CURVE())}</h2>
      {line.length > 1 && (
        <TimeChart
          points={line}
          label={t(CHARGING_TEXTS.CHARGING_CURVE())}
          unit="kW"
          color="--energy-consumption"
        />
      )}
      <DataTable
        report={{ list: 'charging_session_curve', query: { id: session_id, limit: POINTS } }}
        caption={t(CHARGING_TEXTS.CHARGING_CURVE_TABLE())}
        rows={points}
        keyOf={({ timestamp }) => timestamp}
        empty={t(CHARGING_TEXTS.CHARGING_NO_CURVE())}
        columns={[
          {
            id: 'time',
            title: t(CHARGING_TEXTS.CHARGING_TIME()),
            cell: ({ timestamp }) => formatInstant(timestamp, 'seconds', language),
          },
          {
            id: 'power',
            title: t(CHARGING_TEXTS.CHARGING_CURVE()),
            isNumber: true,
            cell: ({ power_kw }) => figure(power_kw, 'kW'),
          },
          {
            id: 'energy',
            title: t(CHARGING_TEXTS.CHARGING_ENERGY()),
            isNumber: true,
            cell: ({ energy_kwh }) => <Energy value={energy_kwh} />,
          },
          {
            id: 'charge',
            title: t(CHARGING_TEXTS.CHARGING_STATE_OF_CHARGE()),
            isNumber: true,
            cell: ({ state_of_charge }) => figure(state_of_charge, '%'),
          },
        ]}
      />
    </section>
  )
}

function CostParts({ session: { id, cost_parts } }: { readonly session: Detail }) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable
      report={{ list: 'charging_session_costs', query: { id } }}
      caption={t(CHARGING_TEXTS.CHARGING_COST_PARTS())}
      rows={cost_parts}
      keyOf={({ timestamp }) => timestamp}
      empty={t(CHARGING_TEXTS.CHARGING_NO_COST())}
      columns={[
        {
          id: 'time',
          title: t(CHARGING_TEXTS.CHARGING_STARTED()),
          cell: ({ timestamp }) => formatInstant(timestamp, 'dateTime', language),
        },
        {
          id: 'energy',
          title: t(CHARGING_TEXTS.CHARGING_ENERGY()),
          isNumber: true,
          cell: ({ energy_kwh }) => <Energy value={energy_kwh} />,
        },
        {
          id: 'cost',
          title: t(CHARGING_TEXTS.CHARGING_COST()),
          isNumber: true,
          cell: ({ cost_try }) => <Money value={cost_try} />,
        },
        {
          id: 'quality',
          title: t(CHARGING_TEXTS.CHARGING_QUALITY()),
          cell: ({ is_estimated }) => (
            <Tag tone={is_estimated ? 'warning' : 'success'}>
              {t(is_estimated ? CHARGING_TEXTS.CHARGING_ESTIMATED() : CHARGING_TEXTS.CHARGING_MEASURED())}
            </Tag>
          ),
        },
      ]}
    />
  )
}
