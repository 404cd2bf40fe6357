import { useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { makeAnonymousClient, type SignInStep, signIn, signInWithCode } from '../../api/client.ts'
import { announceSession, SESSION_KEY, useSession } from '../../api/session.tsx'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Button, Notice, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { ProviderForm, ProviderReturn } from './provider-sign-in.tsx'
import { SESSION_TEXTS } from './texts.ts'

type Step =
  | Exclude<SignInStep, { step: 'done' }>
  | { readonly step: 'password' }
  | { readonly step: 'reset' | 'provider' }

/** Signs in: password, and the one-time password of users who have one; requests links for forgotten passwords. */
export function SignInPage() {
  const t = useText()
  const { data: profile } = useSession()
  const { next } = useSearch({ from: '/sign-in' })
  const [step, setStep] = useState<Step>({ step: 'password' })
  const queries = useQueryClient()
  const navigate = useNavigate()
  useEffect(() => {
    document.title = `${t(SESSION_TEXTS.SESSION_SIGN_IN())} · Netsaat`
  }, [t])
  if (profile) return <Navigate to={next ?? '/overview'} replace />

  const finish = async (): Promise<void> => {
    announceSession()
    await queries.invalidateQueries({ queryKey: SESSION_KEY })
    await navigate({ to: next ?? '/overview' })
  }
  const back = () => setStep({ step: 'password' })
  const advance = async (outcome: SignInStep) => (outcome.step === 'done' ? finish() : setStep(outcome))
  return (
    <div className="sign-in">
      <main>
        <div className="brand">Netsaat</div>
        <h1>{t(SESSION_TEXTS.SESSION_SIGN_IN())}</h1>
        {step.step === 'password' && (
          <>
            <ProviderReturn onStep={advance} />
            <PasswordForm onReset={() => setStep({ step: 'reset' })} onStep={advance} />
            <Button variant="quiet" onPress={() => setStep({ step: 'provider' })}>
              {t(SESSION_TEXTS.SESSION_ORGANIZATION())}
            </Button>
          </>
        )}
        {step.step === 'code' && <CodeForm mfaToken={step.mfaToken} onDone={finish} onBack={back} />}
        {step.step === 'reset' && <ResetForm onBack={back} />}
        {step.step === 'provider' && <ProviderForm onBack={back} />}
        <Languages />
      </main>
    </div>
  )
}

function Languages() {
  const { language, setLanguage } = useLanguage()
  return (
    <Button variant="quiet" onPress={() => setLanguage(language === 'tr' ? 'en' : 'tr')}>
      {language === 'tr' ? 'English' : 'Türkçe'}
    </Button>
  )
}

function PasswordForm({
  onStep,
  onReset,
}: {
  readonly onStep: (step: SignInStep) => Promise<void>
  readonly onReset: () => void
}) {
  const t = useText()
  const { language } = useLanguage()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const submit = async () => onStep(await signIn(makeAnonymousClient(language), email, password))
  return (
    <>
      <Form submitText={t(SESSION_TEXTS.SESSION_SIGN_IN())} onSubmit={submit}>
        <TextField
          label={t(SESSION_TEXTS.SESSION_EMAIL())}
          value={email}
          onChange={setEmail}
          autoComplete="username"
          isRequired
        />
        <TextField
          label={t(SESSION_TEXTS.SESSION_PASSWORD())}
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          isRequired
        />
      </Form>
      <Button variant="quiet" onPress={onReset}>
        {t(SESSION_TEXTS.SESSION_FORGOTTEN())}
      </Button>
    </>
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
        <TextField
          label={t(SESSION_TEXTS.SESSION_CODE())}
          description={t(SESSION_TEXTS.SESSION_CODE_HINT())}
          value={code}
          onChange={setCode}
          autoComplete="one-time-code"
          isRequired
        />
      </Form>
      <Button variant="quiet" onPress={onBack}>
        {t(SESSION_TEXTS.SESSION_BACK())}
      </Button>
    </>
  )
}

/** Requests a link by mail. The response is the same whether or not the address is registered. */
function ResetForm({ onBack }: { readonly onBack: () => void }) {
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
          <TextField
            label={t(SESSION_TEXTS.SESSION_EMAIL())}
            value={email}
            onChange={setEmail}
            autoComplete="username"
            isRequired
          />
        </Form>
      )}
      <Button variant="quiet" onPress={onBack}>
        {t(SESSION_TEXTS.SESSION_BACK())}
      </Button>
    </>
  )
}
