/** The frame of the pages without a session, and the parts of their forms. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../../src/kernel/limits.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Button, Notice, TextField } from '../../ui/controls.tsx'
import { PageHeading } from '../../ui/page.tsx'
import { SESSION_TEXTS } from './texts.ts'

/** A page without a session: one card with its heading, and the other language. */
export function SessionPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { language, setLanguage } = useLanguage()
  return (
    <div className="sign-in">
      <main>
        <div className="brand">Netsaat</div>
        <PageHeading title={title} />
        {children}
        <Button variant="quiet" onPress={() => setLanguage(language === 'tr' ? 'en' : 'tr')}>
          <span lang={language === 'tr' ? 'en' : 'tr'}>{language === 'tr' ? 'English' : 'Türkçe'}</span>
        </Button>
      </main>
    </div>
  )
}

export function SignInLink({ text }: { readonly text?: string }) {
  const t = useText()
  return (
    <Link className="button" data-variant="quiet" to="/sign-in">
      {text ?? t(SESSION_TEXTS.SESSION_BACK())}
    </Link>
  )
}

/** What was done, with the way to the next step. */
export function Finished({ text }: { readonly text: string }) {
  const t = useText()
  return (
    <>
      <Notice tone="success">{text}</Notice>
      <Link className="button" data-variant="primary" to="/sign-in">
        {t(SESSION_TEXTS.SESSION_SIGN_IN())}
      </Link>
    </>
  )
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The address that identifies an account. */
export function EmailField(props: FieldProps) {
  const t = useText()
  return <TextField {...props} label={t(SESSION_TEXTS.SESSION_EMAIL())} autoComplete="username" isRequired />
}

/** The password that the account has. */
export function PasswordField({ label, ...props }: FieldProps & { readonly label?: string }) {
  const t = useText()
  return (
    <TextField
      {...props}
      label={label ?? t(SESSION_TEXTS.SESSION_PASSWORD())}
      type="password"
      autoComplete="current-password"
      isRequired
    />
  )
}

/** The code of an authenticator app. */
export function CodeField(props: FieldProps & { readonly description?: string }) {
  const t = useText()
  return (
    <TextField {...props} label={t(SESSION_TEXTS.SESSION_CODE())} autoComplete="one-time-code" isRequired />
  )
}

export interface NewPassword {
  readonly password: string
  readonly again: string
}
export const NO_PASSWORD: NewPassword = { password: '', again: '' }

interface NewPasswordFieldsProps {
  readonly value: NewPassword
  readonly onChange: (value: NewPassword) => void
}

/** A new password, twice, because it is not readable while it is typed. */
export function NewPasswordFields({ value, onChange }: NewPasswordFieldsProps) {
  const t = useText()
  const { password, again } = value
  const isDifferent = again !== '' && !password.startsWith(again)
  const rule = { min: PASSWORD_MIN_LENGTH, max: PASSWORD_MAX_LENGTH }
  return (
    <>
      <TextField
        label={t(SESSION_TEXTS.SESSION_NEW_PASSWORD())}
        description={t(SESSION_TEXTS.SESSION_PASSWORD_RULE(rule))}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={(next) => onChange({ password: next, again })}
        isRequired
      />
      <TextField
        label={t(SESSION_TEXTS.SESSION_PASSWORD_AGAIN())}
        type="password"
        autoComplete="new-password"
        value={again}
        onChange={(next) => onChange({ password, again: next })}
        error={isDifferent ? t(SESSION_TEXTS.SESSION_PASSWORDS_DIFFER()) : undefined}
        isRequired
      />
    </>
  )
}

export const isComplete = ({ password, again }: NewPassword): boolean => password !== '' && password === again
