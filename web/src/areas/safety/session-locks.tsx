import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan, useClient, useProfile } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Select, Tag, TextField } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Form } from '../../ui/form.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import type { SessionDetail } from './states.ts'
import { SAFETY_TEXTS } from './texts.ts'

type Lock = SessionDetail['locks'][number]
const SESSION = '/api/loto/sessions/{id}'

/** Who has a lock at which point, and since when; the user places and removes own locks. */
export function SessionLocks({ session }: { readonly session: SessionDetail }) {
  const t = useText()
  const can = useCan()
  const { language } = useLanguage()
  const { id: sessionId, status, points, locks } = session
  const names = new Map(points.map(({ id, name }) => [id, name]))
  return (
    <>
      {can('manage:loto') && (status === 'approved' || status === 'applied') && (
        <PlaceLock session={session} />
      )}
      <DataTable
        report={{ list: 'loto_locks', query: { id: sessionId } }}
        caption={t(SAFETY_TEXTS.SAFETY_LOCKS())}
        rows={locks}
        keyOf={({ id }) => id}
        empty={t(SAFETY_TEXTS.SAFETY_NO_LOCKS())}
        columns={[
          {
            id: 'owner',
            title: t(SAFETY_TEXTS.SAFETY_OWNER()),
            cell: ({ owner_name }) => owner_name,
          },
          {
            id: 'point',
            title: t(SAFETY_TEXTS.SAFETY_POINT()),
            cell: ({ point_id }) => names.get(point_id) ?? '',
          },
          {
            id: 'number',
            title: t(SAFETY_TEXTS.SAFETY_LOCK_NUMBER()),
            cell: ({ lock_number }) => lock_number ?? '',
          },
          {
            id: 'placed',
            title: t(SAFETY_TEXTS.SAFETY_PLACED()),
            cell: ({ placed_at }) => formatInstant(placed_at, 'dateTime', language),
          },
          {
            id: 'removed',
            title: t(SAFETY_TEXTS.SAFETY_REMOVED()),
            cell: (lock) => <Removal lock={lock} />,
          },
          {
            id: 'actions',
            title: t(UI_TEXTS.UI_ACTIONS()),
            cell: (lock) => <RemoveLock lock={lock} point={names.get(lock.point_id) ?? ''} />,
          },
        ]}
      />
    </>
  )
}

function Removal({ lock }: { readonly lock: Lock }) {
  const t = useText()
  const { language } = useLanguage()
  const { removed_at, removed_by_name, is_forced, removal_reason } = lock
  if (removed_at === null) return null
  return (
    <>
      {formatInstant(removed_at, 'dateTime', language)}{' '}
      {is_forced && (
        <Tag tone="danger">
          {t(SAFETY_TEXTS.SAFETY_FORCED())}: {removed_by_name}
        </Tag>
      )}{' '}
      {removal_reason}
    </>
  )
}

function PlaceLock({ session: { id, points } }: { readonly session: SessionDetail }) {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [point, setPoint] = useState(points[0]?.id ?? '')
  const [number, setNumber] = useState('')
  const submit = async () => {
    const lock_number = number.trim() === '' ? null : number.trim()
    await api.post('/api/loto/locks', { body: { session_id: id, point_id: point, lock_number } })
    setNumber('')
    await queries.invalidateQueries({ queryKey: [SESSION] })
  }
  return (
    <section className="card">
      <h2>{t(SAFETY_TEXTS.SAFETY_PLACE())}</h2>
      <Form submitText={t(SAFETY_TEXTS.SAFETY_PLACE())} onSubmit={submit}>
        <Select
          label={t(SAFETY_TEXTS.SAFETY_POINT())}
          value={point}
          onChange={setPoint}
          options={points.map(({ id: value, name }) => ({ value, text: name }))}
        />
        <TextField label={t(SAFETY_TEXTS.SAFETY_LOCK_NUMBER())} value={number} onChange={setNumber} />
      </Form>
    </section>
  )
}

/** The own lock is removed at once; that of another user needs a permission of its own and a reason. */
function RemoveLock({ lock, point }: { readonly lock: Lock; readonly point: string }) {
  const t = useText()
  const can = useCan()
  const profile = useProfile()
  const { api } = useClient()
  const [reason, setReason] = useState<string>()
  const { run, isRunning, notice } = useAction([SESSION])
  const { id, owner_id, owner_name, removed_at } = lock
  const isOwn = owner_id === profile.id
  const remove = async () => {
    await api.delete('/api/loto/locks/{id}', { path: { id }, body: isOwn ? null : { reason: reason ?? '' } })
    return undefined
  }
  if (removed_at !== null || !can(isOwn ? 'manage:loto' : 'manage:loto_override')) return null
  const label = t(SAFETY_TEXTS.SAFETY_REMOVE_ONE({ owner: owner_name, point }))
  if (isOwn || reason === undefined)
    return (
      <>
        <Button
          aria-label={label}
          isDisabled={isRunning}
          onPress={() => (isOwn ? void run(remove) : setReason(''))}
        >
          {t(SAFETY_TEXTS.SAFETY_REMOVE())}
        </Button>
        {notice}
      </>
    )
  return (
    <Form submitText={t(SAFETY_TEXTS.SAFETY_FORCE({ owner: owner_name }))} onSubmit={() => run(remove)}>
      <TextField label={t(SAFETY_TEXTS.SAFETY_REASON())} value={reason} onChange={setReason} isRequired />
      {notice}
    </Form>
  )
}
