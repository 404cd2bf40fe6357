import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import type { Permission } from '../../../../src/kernel/permissions.ts'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Notice, TextField } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Form } from '../../ui/form.tsx'
import { NativeField } from '../../ui/inputs.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { PermissionChoice, PermissionSummary } from './permission-choice.tsx'
import { ADMIN_TEXTS } from './texts.ts'

const KEYS = '/api/api-keys'
const PAGE_SIZE = 20
const DAYS_DEFAULT = '90'
const DAYS_MAX = 3650

/** The API keys of the user. The key itself is shown once, after it is created. */
export function ApiKeys() {
  const t = useText()
  const { language } = useLanguage()
  const [page, setPage] = useState(1)
  const query = useGet(KEYS, { query: { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE } })
  return (
    <>
      <PagedList query={query} page={page} pageSize={PAGE_SIZE} onPage={setPage}>
        {({ items }) => (
          <>
            <DataTable
              report={{ list: 'api_keys' }}
              caption={t(ADMIN_TEXTS.ADMIN_API_KEYS())}
              rows={items}
              keyOf={({ id }) => id}
              empty={t(ADMIN_TEXTS.ADMIN_NO_API_KEYS())}
              columns={[
                { id: 'name', title: t(ADMIN_TEXTS.ADMIN_NAME()), cell: ({ name }) => name },
                {
                  id: 'prefix',
                  title: t(ADMIN_TEXTS.ADMIN_PREFIX()),
                  cell: ({ prefix }) => <code>{prefix}…</code>,
                },
                {
                  id: 'permissions',
                  title: t(ADMIN_TEXTS.ADMIN_PERMISSIONS()),
                  cell: ({ permissions }) => <PermissionSummary permissions={permissions} />,
                },
                {
                  id: 'expires',
                  title: t(ADMIN_TEXTS.ADMIN_EXPIRES()),
                  cell: ({ expires_at }) => formatInstant(expires_at, 'date', language),
                },
                {
                  id: 'used',
                  title: t(ADMIN_TEXTS.ADMIN_LAST_USED()),
                  cell: ({ last_used_at }) =>
                    last_used_at === null
                      ? t(UI_TEXTS.UI_NONE())
                      : formatInstant(last_used_at, 'dateTime', language),
                },
                {
                  id: 'actions',
                  title: t(UI_TEXTS.UI_ACTIONS()),
                  cell: (key) => <RevokeButton apiKey={key} />,
                },
              ]}
            />
          </>
        )}
      </PagedList>
      <CreateKey />
    </>
  )
}

function RevokeButton({ apiKey: { id, name } }: { readonly apiKey: ListItem<typeof KEYS> }) {
  const t = useText()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction([KEYS])
  const revoke = async () => {
    await api.delete('/api/api-keys/{id}', { path: { id } })
    return undefined
  }
  return (
    <>
      <Button
        aria-label={t(ADMIN_TEXTS.ADMIN_REVOKE_ONE({ name }))}
        isDisabled={isRunning}
        onPress={() => void run(revoke)}
      >
        {t(ADMIN_TEXTS.ADMIN_REVOKE())}
      </Button>
      {notice}
    </>
  )
}

function CreateKey() {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [days, setDays] = useState(DAYS_DEFAULT)
  const [permissions, setPermissions] = useState<readonly Permission[]>([])
  const [key, setKey] = useState<string>()
  const submit = async () => {
    setKey(undefined)
    const body = { name: name.trim(), permissions: [...permissions], expires_in_days: Number(days) }
    const { data } = await api.post(KEYS, { body })
    setKey(data.key)
    setName('')
    setPermissions([])
    await queries.invalidateQueries({ queryKey: [KEYS] })
  }
  return (
    <section className="card">
      <h2>{t(ADMIN_TEXTS.ADMIN_CREATE_KEY())}</h2>
      {key !== undefined && <CreatedKey value={key} />}
      <Form submitText={t(ADMIN_TEXTS.ADMIN_CREATE_KEY())} onSubmit={submit}>
        <TextField label={t(ADMIN_TEXTS.ADMIN_NAME())} value={name} onChange={setName} isRequired />
        <NativeField
          label={t(ADMIN_TEXTS.ADMIN_DAYS())}
          type="number"
          min={1}
          max={DAYS_MAX}
          value={days}
          onChange={setDays}
          isRequired
        />
        <PermissionChoice selected={permissions} onChange={setPermissions} />
      </Form>
    </section>
  )
}

function CreatedKey({ value }: { readonly value: string }) {
  const t = useText()
  const { run, notice } = useAction([])
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    return t(ADMIN_TEXTS.ADMIN_COPIED())
  }
  return (
    <Notice tone="warning">
      <p>{t(ADMIN_TEXTS.ADMIN_KEY_ONCE())}</p>
      <pre className="code-block">{value}</pre>
      <Button onPress={() => void run(copy)}>{t(ADMIN_TEXTS.ADMIN_COPY())}</Button>
      {notice}
    </Notice>
  )
}
