import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { SESSION_KEY, useClient, useProfile } from '../../api/session.tsx'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { applyTheme, storedTheme, type Theme } from '../../kernel/theme.ts'
import { Button, Notice, Select, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { SESSION_TEXTS } from './texts.ts'

/** What a user sets without an administrator: language, colours, password and one-time passwords. */
export function AccountPage() {
  const t = useText()
  const profile = useProfile()
  return (
    <Page title={t(SESSION_TEXTS.SESSION_ACCOUNT())}>
      <div className="cards">
        <section className="card">
          <dl className="details">
            <dt>{t(SESSION_TEXTS.SESSION_NAME())}</dt>
            <dd>{profile.full_name}</dd>
            <dt>{t(SESSION_TEXTS.SESSION_EMAIL())}</dt>
            <dd>{profile.email}</dd>
            <dt>{t(SESSION_TEXTS.SESSION_TENANT())}</dt>
            <dd>{profile.tenant.name}</dd>
          </dl>
        </section>
        <Display />
        <ChangePassword />
        <OneTimePasswords />
      </div>
    </Page>
  )
}

function Display() {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const { language, setLanguage } = useLanguage()
  const [theme, setTheme] = useState<Theme>(storedTheme)
  const select = (value: 'tr' | 'en') => {
    setLanguage(value)
    // Mails and alarms to the user are in this language too.
    void api
      .put('/api/auth/me', { body: { language: value } })
      .then(() => queries.invalidateQueries({ queryKey: SESSION_KEY }))
  }
  return (
    <section className="card">
      <h2>{t(SESSION_TEXTS.SESSION_DISPLAY())}</h2>
      <Select
        label={t(SESSION_TEXTS.SESSION_LANGUAGE())}
        value={language}
        onChange={select}
        options={[
          { value: 'tr', text: 'Türkçe' },
          { value: 'en', text: 'English' },
        ]}
      />
      <Select
        label={t(SESSION_TEXTS.SESSION_THEME())}
        value={theme}
        onChange={(value) => {
          setTheme(value)
          applyTheme(value)
        }}
        options={[
          { value: 'system', text: t(SESSION_TEXTS.SESSION_THEME_SYSTEM()) },
          { value: 'light', text: t(SESSION_TEXTS.SESSION_THEME_LIGHT()) },
          { value: 'dark', text: t(SESSION_TEXTS.SESSION_THEME_DARK()) },
        ]}
      />
    </section>
  )
}

function ChangePassword() {
  const t = useText()
  const { api } = useClient()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const submit = async () => {
    setDone(false)
    await api.post('/api/auth/change-password', {
      body: { current_password: current, new_password: password },
    })
    setCurrent('')
    setPassword('')
    setDone(true)
  }
  return (
    <section className="card">
      <h2>{t(SESSION_TEXTS.SESSION_CHANGE_PASSWORD())}</h2>
      {isDone && <Notice tone="success">{t(SESSION_TEXTS.SESSION_PASSWORD_CHANGED())}</Notice>}
      <Form submitText={t(SESSION_TEXTS.SESSION_CHANGE_PASSWORD())} onSubmit={submit}>
        <TextField
          label={t(SESSION_TEXTS.SESSION_CURRENT_PASSWORD())}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          isRequired
        />
        <TextField
          label={t(SESSION_TEXTS.SESSION_NEW_PASSWORD())}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          isRequired
        />
      </Form>
    </section>
  )
}

function OneTimePasswords() {
  const t = useText()
  const state = useGet('/api/auth/totp')
  const [isSettingUp, setSettingUp] = useState(false)
  return (
    <section className="card">
      <h2>{t(SESSION_TEXTS.SESSION_TOTP())}</h2>
      <Loaded query={state}>
        {({ enabled }) => (
          <>
            <p>{t(enabled ? SESSION_TEXTS.SESSION_TOTP_ON() : SESSION_TEXTS.SESSION_TOTP_OFF())}</p>
            {!enabled && !isSettingUp && (
              <Button onPress={() => setSettingUp(true)}>{t(SESSION_TEXTS.SESSION_TOTP_BEGIN())}</Button>
            )}
          </>
        )}
      </Loaded>
      {isSettingUp && <Enrolment />}
    </section>
  )
}

/** Password, then the secret with the first code, then the recovery codes. */
function Enrolment() {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const [secret, setSecret] = useState<string>()
  const [code, setCode] = useState('')
  const [recovery, setRecovery] = useState<readonly string[]>()
  if (recovery)
    return (
      <Notice tone="warning">
        <p>{t(SESSION_TEXTS.SESSION_TOTP_RECOVERY())}</p>
        <ul>
          {recovery.map((text) => (
            <li key={text}>
              <code>{text}</code>
            </li>
          ))}
        </ul>
      </Notice>
    )
  if (secret === undefined)
    return (
      <Form
        submitText={t(SESSION_TEXTS.SESSION_CONTINUE())}
        onSubmit={async () =>
          setSecret((await api.post('/api/auth/totp/enrol', { body: { password } })).data.secret)
        }
      >
        <TextField
          label={t(SESSION_TEXTS.SESSION_PASSWORD())}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          isRequired
        />
      </Form>
    )
  return (
    <Form
      submitText={t(SESSION_TEXTS.SESSION_CONTINUE())}
      onSubmit={async () => {
        const { data } = await api.post('/api/auth/totp/confirm', { body: { code: code.trim() } })
        setRecovery(data.recovery_codes)
        await queries.invalidateQueries({ queryKey: ['/api/auth/totp'] })
      }}
    >
      <p>{t(SESSION_TEXTS.SESSION_TOTP_SECRET())}</p>
      <code>{secret}</code>
      <TextField
        label={t(SESSION_TEXTS.SESSION_CODE())}
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        isRequired
      />
    </Form>
  )
}
