import { useQueryClient } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { makeAnonymousClient, type SignInStep, signIn, signInWithCode } from '../../api/client.ts'
import { usePublicConfig } from '../../api/public-config.ts'
import { announceSession, SESSION_KEY, useSession } from '../../api/session.tsx'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Button } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { ProviderForm, ProviderReturn } from './provider-sign-in.tsx'
import { CodeField, EmailField, PasswordField, SessionPage } from './session-page.tsx'
import { SESSION_TEXTS } from './texts.ts'

type Step =
  | Exclude<SignInStep, { step: 'done' }>
  | { readonly step: 'password' }
  | { readonly step: 'provider' }

/** Signs in: password, and the one-time password of users who have one. */
export function SignInPage() {
  const t = useText()
  const { data: profile } = useSession()
  const { next } = useSearch({ from: '/sign-in' })
  const [step, setStep] = useState<Step>({ step: 'password' })
  const queries = useQueryClient()
  const config = usePublicConfig()
  const navigate = useNavigate()
  if (profile) return <Navigate to={next ?? '/overview'} replace />

  const finish = async (): Promise<void> => {
    announceSession()
    await queries.invalidateQueries({ queryKey: SESSION_KEY })
    await navigate({ to: next ?? '/overview' })
  }
  const back = () => setStep({ step: 'password' })
  const advance = async (outcome: SignInStep) => (outcome.step === 'done' ? finish() : setStep(outcome))
  return (
    <SessionPage title={t(SESSION_TEXTS.SESSION_SIGN_IN())}>
      {step.step === 'password' && (
        <>
          <ProviderReturn onStep={advance} />
          <PasswordForm onStep={advance} />
          <Link className="button" data-variant="quiet" to="/password-reset">
            {t(SESSION_TEXTS.SESSION_FORGOTTEN())}
          </Link>
          <Button variant="quiet" onPress={() => setStep({ step: 'provider' })}>
            {t(SESSION_TEXTS.SESSION_ORGANIZATION())}
          </Button>
          {config.data?.tenant_signup_enabled && (
            <Link className="button" data-variant="quiet" to="/signup">
              {t(SESSION_TEXTS.SESSION_SIGN_UP())}
            </Link>
          )}
        </>
      )}
      {step.step === 'code' && <CodeForm mfaToken={step.mfaToken} onDone={finish} onBack={back} />}
      {step.step === 'provider' && <ProviderForm onBack={back} />}
    </SessionPage>
  )
}

function PasswordForm({ onStep }: { readonly onStep: (step: SignInStep) => Promise<void> }) {
  const t = useText()
  const { language } = useLanguage()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const submit = async () => onStep(await signIn(makeAnonymousClient(language), email, password))
  return (
    <Form submitText={t(SESSION_TEXTS.SESSION_SIGN_IN())} onSubmit={submit}>
      <EmailField value={email} onChange={setEmail} />
      <PasswordField value={password} onChange={setPassword} />
    </Form>
  )
}

interface CodeFormProps {
  readonly mfaToken: string
  readonly onDone: () => Promise<void>
  readonly onBack: () => void
}

function CodeForm({ mfaToken, onDone, onBack }: CodeFormProps) {
  const t = useText()
  const { language } = useLanguage()
  const [code, setCode] = useState('')
  const submit = async () => {
    await signInWithCode(makeAnonymousClient(language), mfaToken, code.trim())
    await onDone()
  }
  return (
    <>
      <Form submitText={t(SESSION_TEXTS.SESSION_CONTINUE())} onSubmit={submit}>
        <CodeField value={code} onChange={setCode} description={t(SESSION_TEXTS.SESSION_CODE_HINT())} />
      </Form>
      <Button variant="quiet" onPress={onBack}>
        {t(SESSION_TEXTS.SESSION_BACK())}
      </Button>
    </>
  )
}
