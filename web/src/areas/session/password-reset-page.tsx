import { useState } from 'react'
import { makeAnonymousClient } from '../../api/client.ts'
import { linkToken } from '../../api/link-token.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Notice } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import {
  EmailField,
  Finished,
  isComplete,
  NewPasswordFields,
  NO_PASSWORD,
  SessionPage,
  SignInLink,
} from './session-page.tsx'
import { SESSION_TEXTS } from './texts.ts'

/** Sets a new password with the link of a mail; without one, requests the link. */
export function PasswordResetPage() {
  const t = useText()
  const token = linkToken()
  return (
    <SessionPage title={t(SESSION_TEXTS.SESSION_RESET())}>
      {token === undefined ? <RequestForm /> : <ConfirmForm token={token} />}
    </SessionPage>
  )
}

/** The response is the same whether or not the address is registered. */
function RequestForm() {
  const t = useText()
  const { language } = useLanguage()
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const submit = async () => {
    await makeAnonymousClient(language).post('/api/auth/password-reset/request', { body: { email } })
    setSent(true)
  }
  return (
    <>
      {isSent ? (
        <Notice>{t(SESSION_TEXTS.SESSION_LINK_SENT())}</Notice>
      ) : (
        <Form submitText={t(SESSION_TEXTS.SESSION_SEND_LINK())} onSubmit={submit}>
          <p>{t(SESSION_TEXTS.SESSION_RESET_HINT())}</p>
          <EmailField value={email} onChange={setEmail} />
        </Form>
      )}
      <SignInLink />
    </>
  )
}

function ConfirmForm({ token }: { readonly token: string }) {
  const t = useText()
  const { language } = useLanguage()
  const [value, setValue] = useState(NO_PASSWORD)
  const [isDone, setDone] = useState(false)
  const submit = async () => {
    const body = { token, new_password: value.password }
    await makeAnonymousClient(language).post('/api/auth/password-reset/confirm', { body })
    setDone(true)
  }
  if (isDone) return <Finished text={t(SESSION_TEXTS.SESSION_PASSWORD_CHANGED())} />
  return (
    <>
      <Form
        submitText={t(SESSION_TEXTS.SESSION_CHANGE_PASSWORD())}
        onSubmit={submit}
        isDisabled={!isComplete(value)}
      >
        <NewPasswordFields value={value} onChange={setValue} />
      </Form>
      <SignInLink />
    </>
  )
}
