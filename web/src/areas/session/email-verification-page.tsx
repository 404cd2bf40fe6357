import { useState } from 'react'
import { makeAnonymousClient } from '../../api/client.ts'
import { linkToken } from '../../api/link-token.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Notice } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { Finished, PasswordField, SessionPage, SignInLink } from './session-page.tsx'
import { SESSION_TEXTS } from './texts.ts'

/** Verifies the address of an account with the link of a mail and the password. */
export function EmailVerificationPage() {
  const t = useText()
  const { language } = useLanguage()
  const token = linkToken()
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const submit = async () => {
    if (token === undefined) return
    await makeAnonymousClient(language).post('/api/auth/email-verification/confirm', {
      body: { token, password },
    })
    setDone(true)
  }
  return (
    <SessionPage title={t(SESSION_TEXTS.SESSION_VERIFICATION())}>
      {token === undefined && (
        <>
          <Notice tone="warning">{t(SESSION_TEXTS.SESSION_LINK_INCOMPLETE())}</Notice>
          <SignInLink />
        </>
      )}
      {isDone && <Finished text={t(SESSION_TEXTS.SESSION_VERIFIED())} />}
      {token !== undefined && !isDone && (
        <Form submitText={t(SESSION_TEXTS.SESSION_VERIFY())} onSubmit={submit}>
          <p>{t(SESSION_TEXTS.SESSION_VERIFICATION_HINT())}</p>
          <PasswordField value={password} onChange={setPassword} />
        </Form>
      )}
    </SessionPage>
  )
}
