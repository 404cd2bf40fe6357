import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient, useProfile } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { RecordButtons } from '../../records/record-buttons.tsx'
import { LOTO_SESSIONS } from '../../records/safety-resources.ts'
import { useAction } from '../../ui/action.tsx'
import { Button, TextField } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { saveFile } from '../../ui/file-download.ts'
import { Loaded, Page } from '../../ui/page.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { SessionLocks } from './session-locks.tsx'
import { ENERGY_TYPES, SESSION_STATES, type SessionDetail, VERIFICATIONS } from './states.ts'
import { SAFETY_TEXTS } from './texts.ts'

const REFRESH_MS = 5_000
const SESSION = '/api/loto/sessions/{id}'

/** One session of work: its points, who placed which lock, and its next step. */
export function SafetySessionPage() {
  const t = useText()
  const { sessionId } = useParams({ from: '/signed-in/safety/sessions/$sessionId' })
  const query = useGet(SESSION, { path: { id: sessionId } }, { refetchInterval: REFRESH_MS })
  return (
    <Page title={query.data?.title ?? t(SAFETY_TEXTS.SAFETY_SESSION())}>
      <Loaded query={query}>
        {(session) => (
          <>
            <State session={session} />
            <Steps session={session} />
            <Points session={session} />
            <SessionLocks session={session} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function State({ session }: { readonly session: SessionDetail }) {
  const t = useText()
  const { api, language } = useClient()
  const { run, isRunning, notice } = useAction([])
  const { approved_at, applied_at, released_at } = session
  const time = (instant: string | null) =>
    instant === null ? null : formatInstant(instant, 'dateTime', language)
  const download = async () => {
    const options = { path: { id: session.id }, query: { locale: language } }
    const { data } = await api.get('/api/loto/sessions/{id}/record.pdf', options)
    await saveFile(data, `${session.id}.pdf`)
    return undefined
  }
  return (
    <section className="card">
      <div className="row">
        <StateTag states={SESSION_STATES} value={session.status} />
        <Button isDisabled={isRunning} onPress={() => void run(download)}>
          {t(SAFETY_TEXTS.SAFETY_RECORD())}
        </Button>
      </div>
      {notice}
      <DetailList
        entries={[
          [t(SAFETY_TEXTS.SAFETY_REASON()), session.reason],
          [t(SAFETY_TEXTS.SAFETY_REQUESTED()), time(session.created_at)],
          [t(SAFETY_TEXTS.SAFETY_APPROVED_AT()), time(approved_at)],
          [t(SAFETY_TEXTS.SAFETY_APPLIED_AT()), time(applied_at)],
          [t(SAFETY_TEXTS.SAFETY_RELEASED_AT()), time(released_at)],
        ]}
      />
    </section>
  )
}

/** The next step of a session. Nobody approves the own request, so that is not offered. */
function Steps({ session }: { readonly session: SessionDetail }) {
  const { id, status, requested_by, points } = session
  const t = useText()
  const can = useCan()
  const profile = useProfile()
  const { api } = useClient()
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({})
  const { run, isRunning, notice } = useAction([SESSION, '/api/loto/sessions'])
  const path = { id }
  const step = (post: () => Promise<unknown>) =>
    run(async () => {
      await post()
      return undefined
    })
  const manual_verifications = points.flatMap((point) => {
    const note = (notes[point.id] ?? '').trim()
    return note === '' ? [] : [{ point_id: point.id, note }]
  })
  const isOver = status === 'rejected' || status === 'released'
  if (isOver || !can('manage:loto')) return null
  return (
    <>
      {notice}
      {status === 'approved' &&
        points.map((point) => (
          <TextField
            key={point.id}
            label={t(SAFETY_TEXTS.SAFETY_VERIFICATION({ point: point.name }))}
            description={t(SAFETY_TEXTS.SAFETY_VERIFICATION_HINT())}
            value={notes[point.id] ?? ''}
            onChange={(note) => setNotes({ ...notes, [point.id]: note })}
          />
        ))}
      <div className="row">
        {status === 'pending' && requested_by === profile.id && (
          <RecordButtons resource={LOTO_SESSIONS} record={{ ...session }} />
        )}
        {status === 'pending' && requested_by !== profile.id && (
          <Button
            variant="primary"
            isDisabled={isRunning}
            onPress={() => void step(() => api.post('/api/loto/sessions/{id}/approve', { path, body: null }))}
          >
            {t(SAFETY_TEXTS.SAFETY_APPROVE())}
          </Button>
        )}
        {status === 'approved' && (
          <Button
            variant="primary"
            isDisabled={isRunning}
            onPress={() =>
              void step(() =>
                api.post('/api/loto/sessions/{id}/apply', { path, body: { manual_verifications } }),
              )
            }
          >
            {t(SAFETY_TEXTS.SAFETY_APPLY())}
          </Button>
        )}
        {status === 'applied' && (
          <Button
            variant="primary"
            isDisabled={isRunning}
            onPress={() => void step(() => api.post('/api/loto/sessions/{id}/release', { path, body: null }))}
          >
            {t(SAFETY_TEXTS.SAFETY_RELEASE())}
          </Button>
        )}
        {(status === 'pending' || status === 'approved') && (
          <Button
            isDisabled={isRunning}
            onPress={() => void step(() => api.post('/api/loto/sessions/{id}/reject', { path, body: null }))}
          >
            {t(SAFETY_TEXTS.SAFETY_REJECT())}
          </Button>
        )}
      </div>
    </>
  )
}

function Points({ session: { id: sessionId, points } }: { readonly session: SessionDetail }) {
  const t = useText()
  const { language } = useLanguage()
  return (
    <DataTable
      report={{ list: 'loto_session_points', query: { id: sessionId } }}
      caption={t(SAFETY_TEXTS.SAFETY_POINTS())}
      rows={points}
      keyOf={({ id }) => id}
      empty={t(UI_TEXTS.UI_NONE())}
      columns={[
        { id: 'point', title: t(SAFETY_TEXTS.SAFETY_POINT()), cell: ({ name }) => name },
        { id: 'location', title: t(SAFETY_TEXTS.SAFETY_LOCATION()), cell: ({ location }) => location },
        {
          id: 'energy',
          title: t(SAFETY_TEXTS.SAFETY_ENERGY()),
          cell: ({ energy_type }) => <StateTag states={ENERGY_TYPES} value={energy_type} />,
        },
        {
          id: 'isolation',
          title: t(SAFETY_TEXTS.SAFETY_ISOLATION()),
          cell: ({ isolation_method }) => isolation_method,
        },
        {
          id: 'verified',
          title: t(SAFETY_TEXTS.SAFETY_VERIFIED()),
          cell: ({ verification }) =>
            verification === null ? (
              t(UI_TEXTS.UI_NONE())
            ) : (
              <>
                <StateTag states={VERIFICATIONS} value={verification.method} />{' '}
                {formatInstant(verification.verified_at, 'dateTime', language)} {verification.note}
              </>
            ),
        },
      ]}
    />
  )
}
