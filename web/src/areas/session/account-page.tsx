import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SESSION_KEY, useClient, useProfile } from '../../api/session.tsx'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { applyTheme, storedTheme, type Theme } from '../../kernel/theme.ts'
import { useAction } from '../../ui/action.tsx'
import { Button, Notice, Select } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { OneTimePasswords } from './one-time-passwords.tsx'
import { isComplete, NewPasswordFields, NO_PASSWORD, PasswordField } from './session-page.tsx'
import { SESSION_TEXTS } from './texts.ts'

/** What a user sets without an administrator: language, colours, password and one-time passwords. */
export function AccountPage() {
  const t = useText()
  const profile = useProfile()
  return (
    <Page title={t(SESSION_TEXTS.SESSION_ACCOUNT())}>
      <div className="cards wide">
        <section className="card">
          <dl className="details">
            <dt>{t(SESSION_TEXTS.SESSION_NAME())}</dt>
            <dd>{profile.full_name}</dd>
            <dt>{t(SESSION_TEXTS.SESSION_EMAIL())}</dt>
            <dd>{profile.email}</dd>
            <dt>{t(SESSION_TEXTS.SESSION_TENANT())}</dt>
            <dd>{profile.tenant.name}</dd>
          </dl>
          {!profile.is_email_verified && <Verification />}
        </section>
        <Display />
        <ChangePassword />
        <OneTimePasswords />
      </div>
    </Page>
  )
}

/** Requests a mail whose link verifies the address. */
function Verification() {
  const t = useText()
  const { api } = useClient()
  const { run, isRunning, notice } = useAction([])
  const request = async () => (await api.post('/api/auth/email-verification/request', {})).data.message
  return (
    <>
      <p>{t(SESSION_TEXTS.SESSION_NOT_VERIFIED())}</p>
      {notice}
      <div>
        <Button isDisabled={isRunning} onPress={() => void run(request)}>
          {t(SESSION_TEXTS.SESSION_SEND_LINK())}
        </Button>
      </div>
    </>
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
  const [value, setValue] = useState(NO_PASSWORD)
  const [isDone, setDone] = useState(false)
  const submit = async () => {
    setDone(false)
    await api.post('/api/auth/change-password', {
      body: { current_password: current, new_password: value.password },
    })
    setCurrent('')
    setValue(NO_PASSWORD)
    setDone(true)
  }
  return (
    <section className="card">
      <h2>{t(SESSION_TEXTS.SESSION_CHANGE_PASSWORD())}</h2>
      {isDone && <Notice tone="success">{t(SESSION_TEXTS.SESSION_PASSWORD_CHANGED())}</Notice>}
      <Form
        submitText={t(SESSION_TEXTS.SESSION_CHANGE_PASSWORD())}
        onSubmit={submit}
        isDisabled={!isComplete(value)}
      >
        <PasswordField
          label={t(SESSION_TEXTS.SESSION_CURRENT_PASSWORD())}
          value={current}
          onChange={setCurrent}
        />
        <NewPasswordFields value={value} onChange={setValue} />
      </Form>
    </section>
  )
}
