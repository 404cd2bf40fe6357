/** One-time passwords of the user: setting up, new recovery codes, removal. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Button, Notice } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { CodeField, PasswordField } from './session-page.tsx'
import { SESSION_TEXTS } from './texts.ts'

const STATE = '/api/auth/totp'
type Open = 'set-up' | 'replace' | 'remove'

export function OneTimePasswords() {
  const t = useText()
  const state = useGet(STATE)
  const [open, setOpen] = useState<Open>()
  const [isRemoved, setRemoved] = useState(false)
  const begin = (next: Open) => {
    setRemoved(false)
    setOpen(next)
  }
  const endRemoval = () => {
    setRemoved(true)
    setOpen(undefined)
  }
  return (
    <section className="card">
      <h2>{t(SESSION_TEXTS.SESSION_TOTP())}</h2>
      {isRemoved && <Notice tone="success">{t(SESSION_TEXTS.SESSION_TOTP_REMOVED())}</Notice>}
      <Loaded query={state}>
        {({ enabled, required, recovery_codes_left }) => (
          <>
            <p>{t(enabled ? SESSION_TEXTS.SESSION_TOTP_ON() : SESSION_TEXTS.SESSION_TOTP_OFF())}</p>
            {required && <p>{t(SESSION_TEXTS.SESSION_TOTP_REQUIRED())}</p>}
            {enabled && <p>{t(SESSION_TEXTS.SESSION_TOTP_LEFT({ count: recovery_codes_left }))}</p>}
            {open === undefined && <Choices isEnabled={enabled} onBegin={begin} />}
          </>
        )}
      </Loaded>
      {open === 'set-up' && <Enrolment />}
      {open === 'replace' && <Replacement />}
      {open === 'remove' && <Removal onDone={endRemoval} />}
      {open !== undefined && (
        <div>
          <Button variant="quiet" onPress={() => setOpen(undefined)}>
            {t(UI_TEXTS.UI_CLOSE())}
          </Button>
        </div>
      )}
    </section>
  )
}

function Choices({
  isEnabled,
  onBegin,
}: {
  readonly isEnabled: boolean
  readonly onBegin: (open: Open) => void
}) {
  const t = useText()
  if (!isEnabled)
    return (
      <div>
        <Button onPress={() => onBegin('set-up')}>{t(SESSION_TEXTS.SESSION_TOTP_BEGIN())}</Button>
      </div>
    )
  return (
    <div className="row">
      <Button onPress={() => onBegin('replace')}>{t(SESSION_TEXTS.SESSION_TOTP_REPLACE())}</Button>
      <Button onPress={() => onBegin('remove')}>{t(SESSION_TEXTS.SESSION_TOTP_REMOVE())}</Button>
    </div>
  )
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const t = useText()
  return (
    <Notice tone="warning">
      <p>{t(SESSION_TEXTS.SESSION_TOTP_RECOVERY())}</p>
      <ul>
        {codes.map((text) => (
          <li key={text}>
            <code>{text}</code>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Reads the state again after a change. */
function useChanged() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: [STATE] })
}

/** Password, then the secret with the first code, then the recovery codes. */
function Enrolment() {
  const t = useText()
  const { api } = useClient()
  const changed = useChanged()
  const [password, setPassword] = useState('')
  const [secret, setSecret] = useState<string>()
  const [code, setCode] = useState('')
  const [recovery, setRecovery] = useState<readonly string[]>()
  const enrol = async () =>
    setSecret((await api.post('/api/auth/totp/enrol', { body: { password } })).data.secret)
  const confirm = async () => {
    const { data } = await api.post('/api/auth/totp/confirm', { body: { code: code.trim() } })
    setRecovery(data.recovery_codes)
    await changed()
  }
  if (recovery) return <RecoveryCodes codes={recovery} />
  if (secret === undefined)
    return (
      <Form submitText={t(SESSION_TEXTS.SESSION_CONTINUE())} onSubmit={enrol}>
        <PasswordField value={password} onChange={setPassword} />
      </Form>
    )
  return (
    <Form submitText={t(SESSION_TEXTS.SESSION_CONTINUE())} onSubmit={confirm}>
      <p>{t(SESSION_TEXTS.SESSION_TOTP_SECRET())}</p>
      <code>{secret}</code>
      <CodeField value={code} onChange={setCode} />
    </Form>
  )
}

/** What a change of one-time passwords needs: the password and a code. */
function ProofForm({
  submitText,
  onProof,
}: {
  readonly submitText: string
  readonly onProof: (proof: { password: string; code: string }) => Promise<void>
}) {
  const t = useText()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  return (
    <Form submitText={submitText} onSubmit={() => onProof({ password, code: code.trim() })}>
      <PasswordField value={password} onChange={setPassword} />
      <CodeField value={code} onChange={setCode} description={t(SESSION_TEXTS.SESSION_CODE_HINT())} />
    </Form>
  )
}

function Replacement() {
  const t = useText()
  const { api } = useClient()
  const changed = useChanged()
  const [codes, setCodes] = useState<readonly string[]>()
  const replace = async (body: { password: string; code: string }) => {
    setCodes((await api.post('/api/auth/totp/recovery-codes', { body })).data.recovery_codes)
    await changed()
  }
  if (codes) return <RecoveryCodes codes={codes} />
  return <ProofForm submitText={t(SESSION_TEXTS.SESSION_TOTP_REPLACE())} onProof={replace} />
}

function Removal({ onDone }: { readonly onDone: () => void }) {
  const t = useText()
  const { api } = useClient()
  const changed = useChanged()
  const remove = async (body: { password: string; code: string }) => {
    await api.post('/api/auth/totp/disable', { body })
    await changed()
    onDone()
  }
  return <ProofForm submitText={t(SESSION_TEXTS.SESSION_TOTP_REMOVE())} onProof={remove} />
}
