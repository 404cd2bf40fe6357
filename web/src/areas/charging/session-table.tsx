import { Link } from '@tanstack/react-router'
import { useCan, useClient } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { Energy, Money } from '../../ui/value.tsx'
import { SESSION_STATES, type Session } from './states.ts'
import { CHARGING_TEXTS } from './texts.ts'

interface SessionTableProps {
  readonly sessions: readonly Session[]
  /** Filters of the list. */
  readonly filters: object
}

export function SessionTable({ sessions, filters }: SessionTableProps) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable
      report={{ list: 'charging_sessions', query: filters }}
      caption={t(CHARGING_TEXTS.CHARGING_SESSIONS())}
      rows={sessions}
      keyOf={({ id }) => id}
      empty={t(CHARGING_TEXTS.CHARGING_NO_SESSIONS())}
      columns={[
        {
          id: 'start',
          title: t(CHARGING_TEXTS.CHARGING_STARTED()),
          cell: ({ id, started_at }) => (
            <Link to="/charging/sessions/$sessionId" params={{ sessionId: id }}>
              {formatInstant(started_at, 'dateTime', language)}
            </Link>
          ),
        },
        {
          id: 'state',
          title: t(CHARGING_TEXTS.CHARGING_STATE()),
          cell: ({ state }) => <StateTag states={SESSION_STATES} value={state} />,
        },
        {
          id: 'connector',
          title: t(CHARGING_TEXTS.CHARGING_CONNECTOR_COLUMN()),
          isNumber: true,
          cell: ({ connector_id }) => connector_id,
        },
        { id: 'tag', title: t(CHARGING_TEXTS.CHARGING_ID_TAG()), cell: ({ id_tag }) => id_tag ?? '' },
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
          id: 'actions',
          title: t(UI_TEXTS.UI_ACTIONS()),
          cell: (session) => <StopButton session={session} />,
        },
      ]}
    />
  )
}

/** How long the request waits for the response of the station, s. */
const WAIT_S = 10

function StopButton({ session: { id, charger_id, state, id_tag } }: { readonly session: Session }) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction(['/api/ocpp/sessions'])
  const stop = async () => {
    const { data } = await api.post('/api/ocpp/chargers/{id}/commands', {
      path: { id: charger_id },
      query: { wait: WAIT_S },
      body: { action: 'remote_stop', session_id: id },
    })
    return data.state === 'accepted' ? undefined : t(CHARGING_TEXTS.CHARGING_SENT({ number: data.number }))
  }
  if (state !== 'active' || !can('manage:charger')) return null
  return (
    <>
      <Button
        aria-label={t(CHARGING_TEXTS.CHARGING_STOP_OF({ tag: id_tag ?? '' }))}
        isDisabled={isRunning}
        onPress={() => void run(stop)}
      >
        {t(CHARGING_TEXTS.CHARGING_STOP())}
      </Button>
      {notice}
    </>
  )
}
