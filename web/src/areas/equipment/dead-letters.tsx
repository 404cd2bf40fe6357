import { useState } from 'react'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Loaded } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { EQUIPMENT_TEXTS } from './texts.ts'

type DeadLetter = ListItem<'/api/gateways/dead-letters'>

const PAGE_SIZE = 20
const REFRESH_MS = 15_000
const LIST = '/api/gateways/dead-letters'

/** The messages that could not be processed, of one gateway or of all, with their content and a retry. */
export function DeadLetters({ gatewayId }: { readonly gatewayId?: string }) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<string>()
  const { run, isRunning, notice } = useAction([LIST])
  const query = useGet(
    LIST,
    { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, gateway_id: gatewayId } },
    { refetchInterval: REFRESH_MS },
  )
  const retryAll = async () => {
    const { data } = await api.post('/api/gateways/dead-letters/retry', { query: { gateway_id: gatewayId } })
    return t(EQUIPMENT_TEXTS.EQUIPMENT_RETRIED({ used: data.used, left: data.left }))
  }
  return (
    <>
      {notice}
      <PagedList query={query} page={page} pageSize={PAGE_SIZE} onPage={setPage}>
        {({ items, total, dropped }) => (
          <>
            {can('manage:gateway') && total > 0 && (
              <div className="row">
                <Button isDisabled={isRunning} onPress={() => void run(retryAll)}>
                  {t(EQUIPMENT_TEXTS.EQUIPMENT_RETRY_ALL())}
                </Button>
              </div>
            )}
            <DeadLetterTable
              gatewayId={gatewayId}
              items={items}
              run={run}
              isRunning={isRunning}
              onShow={setShown}
            />
            {dropped > 0 && (
              <p className="muted">{t(EQUIPMENT_TEXTS.EQUIPMENT_DROPPED({ count: dropped }))}</p>
            )}
          </>
        )}
      </PagedList>
      {shown !== undefined && <Content id={shown} />}
    </>
  )
}

interface DeadLetterTableProps extends Pick<ReturnType<typeof useAction>, 'run' | 'isRunning'> {
  readonly gatewayId: string | undefined
  readonly items: readonly DeadLetter[]
  readonly onShow: (id: string) => void
}

function DeadLetterTable({ gatewayId, items, run, isRunning, onShow }: DeadLetterTableProps) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable
      report={{ list: 'dead_letters', query: { gateway_id: gatewayId } }}
      caption={t(EQUIPMENT_TEXTS.EQUIPMENT_DEAD_LETTERS())}
      rows={items}
      keyOf={({ id }) => id}
      empty={t(EQUIPMENT_TEXTS.EQUIPMENT_NO_DEAD_LETTERS())}
      columns={[
        { id: 'topic', title: t(EQUIPMENT_TEXTS.EQUIPMENT_TOPIC()), cell: ({ topic }) => topic },
        {
          id: 'reason',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_REASON()),
          cell: ({ reason, detail }) => (
            <>
              <code>{reason}</code> {detail}
            </>
          ),
        },
        {
          id: 'received',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_RECEIVED()),
          cell: (row) => formatInstant(row.received_at, 'dateTime', language),
        },
        {
          id: 'attempts',
          title: t(EQUIPMENT_TEXTS.EQUIPMENT_ATTEMPTS()),
          isNumber: true,
          cell: (row) => row.attempts,
        },
        {
          id: 'actions',
          title: t(UI_TEXTS.UI_ACTIONS()),
          cell: (row) => <RowActions letter={row} run={run} isRunning={isRunning} onShow={onShow} />,
        },
      ]}
    />
  )
}

interface RowActionsProps extends Omit<DeadLetterTableProps, 'items' | 'gatewayId'> {
  readonly letter: DeadLetter
}

function RowActions({ letter: { id, topic }, run, isRunning, onShow }: RowActionsProps) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const retry = async () => {
    const { data } = await api.post('/api/gateways/dead-letters/{id}/retry', { path: { id } })
    return data.used
      ? t(EQUIPMENT_TEXTS.EQUIPMENT_RETRY_USED())
      : t(EQUIPMENT_TEXTS.EQUIPMENT_RETRY_FAILED({ reason: `${data.reason ?? ''} ${data.detail ?? ''}` }))
  }
  const remove = async () => {
    await api.delete('/api/gateways/dead-letters/{id}', { path: { id } })
    return undefined
  }
  return (
    <span className="row">
      <Button aria-label={t(EQUIPMENT_TEXTS.EQUIPMENT_SHOW_ONE({ topic }))} onPress={() => onShow(id)}>
        {t(EQUIPMENT_TEXTS.EQUIPMENT_SHOW())}
      </Button>
      {can('manage:gateway') && (
        <>
          <Button
            aria-label={t(EQUIPMENT_TEXTS.EQUIPMENT_RETRY_ONE({ topic }))}
            isDisabled={isRunning}
            onPress={() => void run(retry)}
          >
            {t(EQUIPMENT_TEXTS.EQUIPMENT_RETRY())}
          </Button>
          <Button
            aria-label={t(EQUIPMENT_TEXTS.EQUIPMENT_DELETE_ONE({ topic }))}
            isDisabled={isRunning}
            onPress={() => void run(remove)}
          >
            {t(UI_TEXTS.UI_DELETE())}
          </Button>
        </>
      )}
    </span>
  )
}

/** The message as it was received. Bytes that are no text are shown as replacement characters. */
function Content({ id }: { readonly id: string }) {
  const t = useText()
  const query = useGet('/api/gateways/dead-letters/{id}', { path: { id } })
  return (
    <section className="card">
      <Loaded query={query}>
        {({ topic, reason, detail, payload_base64 }) => (
          <>
            <h3>{topic}</h3>
            <DetailList entries={[[t(EQUIPMENT_TEXTS.EQUIPMENT_REASON()), `${reason}: ${detail}`]]} />
            <pre className="code-block">{textOfBase64(payload_base64)}</pre>
          </>
        )}
      </Loaded>
    </section>
  )
}

const textOfBase64 = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
