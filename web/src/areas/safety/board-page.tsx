import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { leaveFrom } from '../../forms/unsaved.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { LOTO_POINTS } from '../../records/plant-resources.ts'
import { RecordList } from '../../records/record-list.tsx'
import { Button, TextField } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Form } from '../../ui/form.tsx'
import { Checkbox } from '../../ui/inputs.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { StateFilter, StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { ENERGY_TYPES, type Point, SESSION_STATES } from './states.ts'
import { SAFETY_TEXTS } from './texts.ts'

const PAGE_SIZE = 20
const REFRESH_MS = 5_000
/** Points that one page of the API has at most. */
const POINTS_MAX = 200

/** What is locked out now, and the sessions of work with their locks. */
export function BoardPage() {
  const t = useText()
  const can = useCan()
  const { state } = useSearch({ from: '/signed-in/safety' })
  const navigate = useNavigate({ from: '/safety' })
  const [isRequesting, setRequesting] = useState(false)
  return (
    <Page
      title={t(SAFETY_TEXTS.SAFETY())}
      actions={
        <>
          <StateFilter
            label={t(SAFETY_TEXTS.SAFETY_STATE())}
            states={SESSION_STATES}
            value={state}
            onChange={(next) => void navigate({ search: { state: next }, replace: true })}
          />
          {can('manage:loto') && !isRequesting && (
            <Button onPress={() => setRequesting(true)}>{t(SAFETY_TEXTS.SAFETY_REQUEST())}</Button>
          )}
        </>
      }
    >
      {isRequesting && <RequestForm onEnd={() => setRequesting(false)} />}
      <LockedPoints />
      <Sessions />
      <RecordList resource={LOTO_POINTS} />
    </Page>
  )
}

function LockedPoints() {
  const t = useText()
  const query = useGet(
    '/api/loto/points',
    { query: { is_locked_out: true, limit: POINTS_MAX, sort_by: 'name', sort_order: 'asc' } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <section className="stack">
      <h2>{t(SAFETY_TEXTS.SAFETY_LOCKED())}</h2>
      <Loaded query={query}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="muted">{t(SAFETY_TEXTS.SAFETY_NONE_LOCKED())}</p>}
            <ul className="cards plain">
              {items.map((point) => (
                <PointTile key={point.id} point={point} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  )
}

function PointTile({ point }: { readonly point: Point }) {
  return (
    <li className="card">
      <h3>{point.name}</h3>
      <div className="row">
        <StateTag states={ENERGY_TYPES} value={point.energy_type} />
      </div>
      <p>{point.location}</p>
      <p className="muted">{point.isolation_method}</p>
    </li>
  )
}

function Sessions() {
  const t = useText()
  const { language } = useLanguage()
  const { page = 1, state } = useSearch({ from: '/signed-in/safety' })
  const query = useGet(
    '/api/loto/sessions',
    { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, status: state } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <PagedList query={query} page={page} pageSize={PAGE_SIZE}>
      {({ items }) => (
        <>
          <DataTable
            report={{ list: 'loto_sessions', query: { status: state } }}
            caption={t(SAFETY_TEXTS.SAFETY_SESSIONS())}
            rows={items}
            keyOf={({ id }) => id}
            empty={t(SAFETY_TEXTS.SAFETY_NO_SESSIONS())}
            columns={[
              {
                id: 'title',
                title: t(SAFETY_TEXTS.SAFETY_TITLE()),
                cell: ({ id, title }) => (
                  <Link to="/safety/sessions/$sessionId" params={{ sessionId: id }}>
                    {title}
                  </Link>
                ),
              },
              {
                id: 'state',
                title: t(SAFETY_TEXTS.SAFETY_STATE()),
                cell: ({ status }) => <StateTag states={SESSION_STATES} value={status} />,
              },
              {
                id: 'locks',
                title: t(SAFETY_TEXTS.SAFETY_LOCKS_LEFT()),
                isNumber: true,
                cell: ({ locks_left }) => locks_left,
              },
              {
                id: 'requested',
                title: t(SAFETY_TEXTS.SAFETY_REQUESTED()),
                cell: ({ created_at }) => formatInstant(created_at, 'dateTime', language),
              },
            ]}
          />
        </>
      )}
    </PagedList>
  )
}

function RequestForm({ onEnd }: { readonly onEnd: () => void }) {
  const t = useText()
  const { api } = useClient()
  const navigate = useNavigate({ from: '/safety' })
  const [title, setTitle] = useState('')
  const [reason, setReason] = useState('')
  const [selected, setSelected] = useState<readonly string[]>([])
  const query = useGet('/api/loto/points', {
    query: { limit: POINTS_MAX, sort_by: 'name', sort_order: 'asc' },
  })
  const submit = async () => {
    const { data } = await api.post('/api/loto/sessions', {
      body: { title, reason, point_ids: [...selected] },
    })
    await navigate({ to: '/safety/sessions/$sessionId', params: { sessionId: data.id } })
  }
  return (
    <section className="card">
      <h2>{t(SAFETY_TEXTS.SAFETY_REQUEST())}</h2>
      <Form submitText={t(SAFETY_TEXTS.SAFETY_REQUEST())} onSubmit={submit}>
        <TextField label={t(SAFETY_TEXTS.SAFETY_TITLE())} value={title} onChange={setTitle} isRequired />
        <TextField label={t(SAFETY_TEXTS.SAFETY_REASON())} value={reason} onChange={setReason} isRequired />
        <Loaded query={query}>
          {({ items }) => (
            <fieldset className="choices">
              <legend>{t(SAFETY_TEXTS.SAFETY_POINTS())}</legend>
              {items.map(({ id, name, location }) => (
                <Checkbox
                  key={id}
                  label={`${name} · ${location}`}
                  isChecked={selected.includes(id)}
                  onChange={(isChecked) =>
                    setSelected(isChecked ? [...selected, id] : selected.filter((one) => one !== id))
                  }
                />
              ))}
            </fieldset>
          )}
        </Loaded>
      </Form>
      <Button onPress={(event) => leaveFrom(event, onEnd)}>{t(UI_TEXTS.UI_CANCEL())}</Button>
    </section>
  )
}
