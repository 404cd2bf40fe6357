import { useState } from 'react'
import { makeAnonymousClient } from '../../api/client.ts'
import { linkToken } from '../../api/link-token.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Notice, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import {
  Finished,
  isComplete,
  NewPasswordFields,
  NO_PASSWORD,
  SessionPage,
  SignInLink,
} from './session-page.tsx'
import { SESSION_TEXTS } from './texts.ts'

/** Creates the account of an invitation with the link of its mail. */
export function InvitationPage() {
  const t = useText()
  const token = linkToken()
  return (
    <SessionPage title={t(SESSION_TEXTS.SESSION_INVITATION())}>
      {token === undefined ? (
        <>
          <Notice tone="warning">{t(SESSION_TEXTS.SESSION_LINK_INCOMPLETE())}</Notice>
          <SignInLink />
        </>
      ) : (
        <AcceptForm token={token} />
      )}
    </SessionPage>
  )
}

function AcceptForm({ token }: { readonly token: string }) {
  const t = useText()
  const { language } = useLanguage()
  const [name, setName] = useState('')
  const [value, setValue] = useState(NO_PASSWORD)
  const [email, setEmail] = useState<string>()
  const submit = async () => {
    const { data } = await makeAnonymousClient(language).post('/api/auth/invitations/accept', {
      body: { token, full_name: name.trim(), password: value.password },
    })
    setEmail(data.email)
  }
  if (email !== undefined) return <Finished text={t(SESSION_TEXTS.SESSION_ACCOUNT_OPEN({ email }))} />
  return (
    <Form
      submitText={t(SESSION_TEXTS.SESSION_OPEN_ACCOUNT())}
      onSubmit={submit}
      isDisabled={!isComplete(value)}
    >
      <p>{t(SESSION_TEXTS.SESSION_INVITATION_HINT())}</p>
      <TextField
        label={t(SESSION_TEXTS.SESSION_FULL_NAME())}
        autoComplete="name"
        value={name}
        onChange={setName}
        isRequired
      />
      <NewPasswordFields value={value} onChange={setValue} />
    </Form>
  )
}
