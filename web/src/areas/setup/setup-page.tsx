import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { useCan, useProfile } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Tag } from '../../ui/controls.tsx'
import { Page } from '../../ui/page.tsx'
import { CalculationStep } from './calculation-step.tsx'
import { FacilityStep } from './facility-step.tsx'
import { GroupStep } from './group-step.tsx'
import { HistoryStep } from './history-step.tsx'
import { MeterStep } from './meter-step.tsx'
import { SiteStep } from './site-step.tsx'
import type { StepName } from './step-names.ts'
import { STEPS } from './steps.ts'
import { SETUP_TEXTS } from './texts.ts'
import { useProgress } from './use-progress.ts'
import { ValuesStep } from './values-step.tsx'

const CONTENT: Readonly<Record<StepName, () => React.ReactNode>> = {
  site: SiteStep,
  meter: MeterStep,
  values: ValuesStep,
  facility: FacilityStep,
  group: GroupStep,
  calculation: CalculationStep,
  history: HistoryStep,
}

/** The way from an empty tenant to the first netted hour, and the import of past months for superusers. */
export function SetupPage() {
  const t = useText()
  const can = useCan()
  const { is_superuser } = useProfile()
  const { isKnown, isDone } = useProgress()
  const steps = STEPS.filter(({ permission }) => can(permission))
  const { step } = useSearch({ from: '/signed-in/setup' })
  if (step === undefined) {
    // The address names the step, so that the page stays on it when it is completed.
    const next = steps.find(({ name }) => !isDone(name))?.name ?? 'calculation'
    return isKnown ? <Navigate to="/setup" search={{ step: next }} replace /> : null
  }
  const Content = CONTENT[step]
  return (
    <Page title={t(SETUP_TEXTS.SETUP())}>
      <p className="muted">{t(SETUP_TEXTS.SETUP_PURPOSE())}</p>
      <nav aria-label={t(SETUP_TEXTS.SETUP_STEPS())}>
        <ol className="steps">
          {steps.map(({ name, text }) => (
            <li key={name}>
              <Link to="/setup" search={{ step: name }} aria-current={name === step ? 'step' : undefined}>
                {t(text())}
              </Link>
              {isDone(name) && <Tag tone="success">{t(SETUP_TEXTS.SETUP_DONE())}</Tag>}
            </li>
          ))}
          {is_superuser && (
            <li>
              <Link
                to="/setup"
                search={{ step: 'history' }}
                aria-current={step === 'history' ? 'step' : undefined}
              >
                {t(SETUP_TEXTS.SETUP_HISTORY())}
              </Link>
            </li>
          )}
        </ol>
      </nav>
      <section className="card">
        <Content />
      </section>
    </Page>
  )
}
