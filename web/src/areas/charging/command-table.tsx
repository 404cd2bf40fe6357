import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Notice } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { commandText } from './command-texts.ts'
import { NamedValues } from './named-values.tsx'
import { COMMAND_STATES, type Command } from './states.ts'
import { CHARGING_TEXTS } from './texts.ts'

const PAGE_SIZE = 20
const REFRESH_MS = 2_000
const LIST = '/api/ocpp/chargers/{id}/commands'

/** The commands of a charger with their results as they arrive. */
export function CommandTable({ chargerId }: { readonly chargerId: string }) {
  const t = useText()
  const { language } = useLanguage()
  const [page, setPage] = useState(1)
  const query = useGet(
    LIST,
    { path: { id: chargerId }, query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <PagedList query={query} page={page} pageSize={PAGE_SIZE} onPage={setPage}>
      {({ items }) => (
        <>
          <DataTable
            report={{ list: 'charger_commands', query: { id: chargerId } }}
            caption={t(CHARGING_TEXTS.CHARGING_COMMANDS())}
            rows={items}
            keyOf={({ id }) => id}
            empty={t(CHARGING_TEXTS.CHARGING_NO_COMMANDS())}
            columns={[
              {
                id: 'command',
                title: t(CHARGING_TEXTS.CHARGING_COMMAND()),
                cell: ({ number, action }) => `${number} · ${commandText(action, t)}`,
              },
              {
                id: 'parameters',
                title: t(CHARGING_TEXTS.CHARGING_PARAMETERS()),
                cell: ({ request }) => <NamedValues values={request} />,
              },
              {
                id: 'state',
                title: t(CHARGING_TEXTS.CHARGING_STATE()),
                cell: ({ state }) => <StateTag states={COMMAND_STATES} value={state} />,
              },
              {
                id: 'result',
                title: t(CHARGING_TEXTS.CHARGING_RESULT()),
                cell: (command) => <Outcome command={command} />,
              },
              {
                id: 'created',
                title: t(CHARGING_TEXTS.CHARGING_CREATED()),
                cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
              },
              {
                id: 'actions',
                title: t(UI_TEXTS.UI_ACTIONS()),
                cell: (command) => <CancelButton command={command} />,
              },
            ]}
          />
        </>
      )}
    </PagedList>
  )
}

function Outcome({ command: { reason, error, answer } }: { readonly command: Command }) {
  const texts = [reason, error].filter((part) => part !== null)
  return (
    <>
      {texts.join(' · ')} {answer !== null && <NamedValues values={answer} />}
    </>
  )
}

function CancelButton({ command }: { readonly command: Command }) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction([LIST])
  const { id, charger_id, number, state } = command
  const cancel = async () => {
    const path = { id: charger_id, command_id: id }
    await api.post('/api/ocpp/chargers/{id}/commands/{command_id}/cancel', { path })
    return undefined
  }
  if (state !== 'pending' || !can('manage:charger')) return null
  return (
    <>
      <Button
        aria-label={t(CHARGING_TEXTS.CHARGING_CANCEL_COMMAND({ number }))}
        isDisabled={isRunning}
        onPress={() => void run(cancel)}
      >
        {t(UI_TEXTS.UI_CANCEL())}
      </Button>
      {notice}
    </>
  )
}

/** What became of a command, read until it has ended. */
export function CommandResult({ command }: { readonly command: Command }) {
  const t = useText()
  const isOver = (state: string) => state !== 'pending' && state !== 'sent'
  const query = useGet(
    '/api/ocpp/chargers/{id}/commands/{command_id}',
    { path: { id: command.charger_id, command_id: command.id } },
    { refetchInterval: REFRESH_MS, enabled: !isOver(command.state) },
  )
  const { state, number, action } = query.data?.id === command.id ? query.data : command
  const latest = query.data?.id === command.id ? query.data : command
  return (
    <Notice tone={state === 'accepted' ? 'success' : isOver(state) ? 'warning' : 'neutral'}>
      <p className="row">
        {`${number} · ${commandText(action, t)}`} <StateTag states={COMMAND_STATES} value={state} />
      </p>
      <div>
        <Outcome command={latest} />
      </div>
    </Notice>
  )
}
