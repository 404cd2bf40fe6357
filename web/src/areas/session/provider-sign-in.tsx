/** Sign-in at the OpenID provider of a tenant: the way there, and the return. */
import { useEffect, useState } from 'react'
import type { Message } from '../../../../src/kernel/messages.ts'
import { OIDC_FAILURES } from '../../../../src/kernel/oidc-failures.ts'
import {
  finishAtProvider,
  makeAnonymousClient,
  type SignInStep,
  startAtProvider,
  takeProviderOutcome,
} from '../../api/client.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Button, Notice, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { useErrorText } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { SESSION_TEXTS } from './texts.ts'

/** Asks which organisation, and sends the browser to its provider. */
export function ProviderForm({ onBack }: { readonly onBack: () => void }) {
  const t = useText()
  const { language } = useLanguage()
  const [name, setName] = useState('')
  return (
    <>
      <Form
        submitText={t(SESSION_TEXTS.SESSION_CONTINUE())}
        onSubmit={() => startAtProvider(makeAnonymousClient(language), name.trim())}
      >
        <TextField
          label={t(SESSION_TEXTS.SESSION_ORGANIZATION_NAME())}
          value={name}
          onChange={setName}
          autoComplete="username"
          isRequired
        />
      </Form>
      <Button variant="quiet" onPress={onBack}>
        {t(SESSION_TEXTS.SESSION_BACK())}
      </Button>
    </>
  )
}

/**
 * The outcome in the address of this page load. It is read once for the page load and not once for each mount, because
 * its code is accepted once.
 */
const outcome = takeProviderOutcome()
let finished: ReturnType<typeof finishAtProvider> | undefined

/** The text of a known code only: the address can come from a link that somebody else has written. */
function reasonOf(code: string): Message {
  const isKnown = (name: string): name is keyof typeof OIDC_FAILURES => Object.hasOwn(OIDC_FAILURES, name)
  return isKnown(code) ? OIDC_FAILURES[code]() : UI_TEXTS.UI_UNEXPECTED_ERROR()
}

/** Finishes a sign-in whose browser comes back from the provider; shows nothing on other page loads. */
export function ProviderReturn({ onStep }: { readonly onStep: (step: SignInStep) => Promise<void> }) {
  const t = useText()
  const errorText = useErrorText()
  const { language } = useLanguage()
  const [failure, setFailure] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the code is exchanged once, whatever changes later
  useEffect(() => {
    if (!outcome) return
    if ('error' in outcome) {
      setFailure(t(SESSION_TEXTS.SESSION_PROVIDER_FAILED({ reason: reasonOf(outcome.error) })))
      return
    }
    finished ??= finishAtProvider(makeAnonymousClient(language), outcome.code)
    finished
      .then((step) => (step ? onStep(step) : setFailure(t(SESSION_TEXTS.SESSION_OTHER_BROWSER()))))
      .catch((error: unknown) => setFailure(errorText(error)))
  }, [])
  return failure === undefined ? null : <Notice tone="danger">{failure}</Notice>
}
