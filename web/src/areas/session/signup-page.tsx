import { useState } from 'react'
import { makeAnonymousClient } from '../../api/client.ts'
import { linkToken } from '../../api/link-token.ts'
import { usePublicConfig } from '../../api/public-config.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Notice, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/page.tsx'
import {
  EmailField,
  Finished,
  isComplete,
  NewPasswordFields,
  NO_PASSWORD,
  PasswordField,
  SessionPage,
  SignInLink,
} from './session-page.tsx'
import { SESSION_TEXTS } from './texts.ts'

/** Creates a tenant with its first administrator, if this service allows it; with a link, confirms the signup. */
export function SignupPage() {
  const t = useText()
  const token = linkToken()
  const config = usePublicConfig()
  return (
    <SessionPage title={t(SESSION_TEXTS.SESSION_SIGNUP())}>
      {token !== undefined ? (
        <ConfirmForm token={token} />
      ) : (
        <Loaded query={config}>
          {({ tenant_signup_enabled }) =>
            tenant_signup_enabled ? (
              <SignupForm />
            ) : (
              <Notice>{t(SESSION_TEXTS.SESSION_SIGNUP_CLOSED())}</Notice>
            )
          }
        </Loaded>
      )}
      <SignInLink />
    </SessionPage>
  )
}

type Outcome = { readonly step: 'open' } | { readonly step: 'mailed'; readonly signupId: string }

function SignupForm() {
  const t = useText()
  const { language } = useLanguage()
  const [tenant, setTenant] = useState('')
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [value, setValue] = useState(NO_PASSWORD)
  const [outcome, setOutcome] = useState<Outcome>()
  const submit = async () => {
    const { data } = await makeAnonymousClient(language).post('/api/auth/signup', {
      body: {
        tenant_name: tenant.trim(),
        full_name: name.trim(),
        email: email.trim(),
        password: value.password,
        language,
      },
    })
    setOutcome('signup_id' in data ? { step: 'mailed', signupId: data.signup_id } : { step: 'open' })
  }
  if (outcome?.step === 'open') return <Finished text={t(SESSION_TEXTS.SESSION_ACCOUNT_OPEN({ email }))} />
  if (outcome) return <Mailed signupId={outcome.signupId} email={email.trim()} />
  return (
    <Form submitText={t(SESSION_TEXTS.SESSION_SIGN_UP())} onSubmit={submit} isDisabled={!isComplete(value)}>
      <TextField
        label={t(SESSION_TEXTS.SESSION_TENANT_NAME())}
        autoComplete="organization"
        value={tenant}
        onChange={setTenant}
        isRequired
      />
      <TextField
        label={t(SESSION_TEXTS.SESSION_FULL_NAME())}
        autoComplete="name"
        value={name}
        onChange={setName}
        isRequired
      />
      <EmailField value={email} onChange={setEmail} />
      <NewPasswordFields value={value} onChange={setValue} />
    </Form>
  )
}

/** The response is the same whether or not the address is registered. */
function Mailed({ signupId, email }: { readonly signupId: string; readonly email: string }) {
  const t = useText()
  const { language } = useLanguage()
  const { run, isRunning, notice } = useAction([])
  const repeat = async () => {
    const body = { signup_id: signupId, email }
    return (await makeAnonymousClient(language).post('/api/auth/signup/resend', { body })).data.message
  }
  return (
    <>
      <Notice>{t(SESSION_TEXTS.SESSION_SIGNUP_MAILED({ email }))}</Notice>
      {notice}
      <Button isDisabled={isRunning} onPress={() => void run(repeat)}>
        {t(SESSION_TEXTS.SESSION_SEND_AGAIN())}
      </Button>
    </>
  )
}

function ConfirmForm({ token }: { readonly token: string }) {
  const t = useText()
  const { language } = useLanguage()
  const [password, setPassword] = useState('')
  const [email, setEmail] = useState<string>()
  const submit = async () => {
    const { data } = await makeAnonymousClient(language).post('/api/auth/signup/confirm', {
      body: { token, password },
    })
    setEmail(data.user.email)
  }
  if (email !== undefined) return <Finished text={t(SESSION_TEXTS.SESSION_ACCOUNT_OPEN({ email }))} />
  return (
    <Form submitText={t(SESSION_TEXTS.SESSION_ACTIVATE())} onSubmit={submit}>
      <p>{t(SESSION_TEXTS.SESSION_CONFIRM_HINT())}</p>
      <PasswordField value={password} onChange={setPassword} />
    </Form>
  )
}
