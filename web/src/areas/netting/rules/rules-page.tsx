import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useGet } from '../../../api/queries.ts'
import { useCan, useClient } from '../../../api/session.tsx'
import { formatInstant, formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Button, Notice, Tag, type Tone } from '../../../ui/controls.tsx'
import { Loaded, useErrorText } from '../../../ui/page.tsx'
import { useGroupMonth } from '../group-month.ts'
import { RULES_TEXTS } from './texts.ts'

const useEligibility = () => {
  const { path, period } = useGroupMonth()
  return useGet('/api/mahsuplasma/groups/{id}/eligibility', { path, query: { billing_period: period } })
}
type Eligibility = NonNullable<ReturnType<typeof useEligibility>['data']>
type Rule = Eligibility['rules'][number]

const OUTCOMES = {
  valid: { tone: 'success', text: RULES_TEXTS.RULES_VALID },
  blocked: { tone: 'danger', text: RULES_TEXTS.RULES_BLOCKED },
  not_checked: { tone: 'warning', text: RULES_TEXTS.RULES_NOT_CHECKED },
} as const

/** The rules that decide whether a group may net, with the reason of each result and what to do about it. */
export function RulesPage() {
  const query = useEligibility()
  return <Loaded query={query}>{(eligibility) => <Evaluation eligibility={eligibility} />}</Loaded>
}

function Evaluation({ eligibility }: { readonly eligibility: Eligibility }) {
  const t = useText()
  const { language } = useLanguage()
  const { tone, text } = OUTCOMES[eligibility.eligibility_status]
  const { evaluated_at, billing_period, rules } = eligibility
  return (
    <>
      <section className="card">
        <h2>{t(RULES_TEXTS.RULES_STATUS())}</h2>
        <div>
          <Tag tone={tone}>{t(text())}</Tag>
        </div>
        <p className="muted">
          {evaluated_at === null
            ? t(RULES_TEXTS.RULES_NEVER())
            : t(RULES_TEXTS.RULES_EVALUATED({ at: formatInstant(evaluated_at, 'dateTime', language) }))}
          {billing_period !== null &&
            ` · ${t(RULES_TEXTS.RULES_OF_PERIOD({ month: formatMonth(billing_period, language) }))}`}
        </p>
        {eligibility.correction_required && (
          <Notice tone="warning">{t(RULES_TEXTS.RULES_CORRECTION_REQUIRED())}</Notice>
        )}
        <Evaluate />
      </section>
      {rules.length > 0 && (
        <section className="stack">
          <h2>{t(RULES_TEXTS.RULES_LIST())}</h2>
          <ul className="rules">
            {rules
              .toSorted((a, b) => urgency(b) - urgency(a))
              .map((rule) => (
                <RuleResult key={rule.code} rule={rule} />
              ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** Rules that block come first, then those that warn; the others keep their order. */
function urgency({ status, is_blocking, severity }: Rule): number {
  if (status === 'fail') return is_blocking ? 4 : severity === 'warning' ? 3 : 2
  return status === 'not_checked' && is_blocking ? 1 : 0
}

function Evaluate() {
  const t = useText()
  const can = useCan()
  const errorText = useErrorText()
  const { api } = useClient()
  const { path } = useGroupMonth()
  const queries = useQueryClient()
  const evaluation = useMutation({
    mutationFn: () => api.post('/api/mahsuplasma/groups/{id}/evaluate', { path }),
    onSuccess: () => queries.invalidateQueries(),
  })
  if (!can('manage:netting')) return null
  return (
    <>
      <div>
        <Button onPress={() => evaluation.mutate()} isDisabled={evaluation.isPending}>
          {t(RULES_TEXTS.RULES_EVALUATE())}
        </Button>
      </div>
      {evaluation.error && <Notice tone="danger">{errorText(evaluation.error)}</Notice>}
    </>
  )
}

const RULES = {
  R001: { question: RULES_TEXTS.RULES_R001, remedy: RULES_TEXTS.RULES_R001_REMEDY },
  R002: { question: RULES_TEXTS.RULES_R002, remedy: RULES_TEXTS.RULES_R002_REMEDY },
  R003: { question: RULES_TEXTS.RULES_R003, remedy: RULES_TEXTS.RULES_R003_REMEDY },
  R003M: { question: RULES_TEXTS.RULES_R003M, remedy: RULES_TEXTS.RULES_R003M_REMEDY },
  R005: { question: RULES_TEXTS.RULES_R005, remedy: RULES_TEXTS.RULES_R005_REMEDY },
  R007: { question: RULES_TEXTS.RULES_R007, remedy: RULES_TEXTS.RULES_R007_REMEDY },
  R008: { question: RULES_TEXTS.RULES_R008, remedy: RULES_TEXTS.RULES_R008_REMEDY },
  R009: { question: RULES_TEXTS.RULES_R009, remedy: RULES_TEXTS.RULES_R009_REMEDY },
  R010: { question: RULES_TEXTS.RULES_R010, remedy: RULES_TEXTS.RULES_R010_REMEDY },
  R011: { question: RULES_TEXTS.RULES_R011, remedy: RULES_TEXTS.RULES_NO_SOURCE_REMEDY },
  R013: { question: RULES_TEXTS.RULES_R013, remedy: RULES_TEXTS.RULES_R013_REMEDY },
  R00T: { question: RULES_TEXTS.RULES_R00T, remedy: RULES_TEXTS.RULES_R00T_REMEDY },
  R00L: { question: RULES_TEXTS.RULES_R00L, remedy: RULES_TEXTS.RULES_NO_SOURCE_REMEDY },
} as const satisfies Readonly<Record<Rule['code'], unknown>>

function toneOf({ status, severity }: Rule): Tone {
  if (status === 'pass') return 'success'
  if (status === 'fail') return severity === 'error' ? 'danger' : 'warning'
  return 'neutral'
}

const STATUSES = {
  pass: RULES_TEXTS.RULES_PASS,
  fail: RULES_TEXTS.RULES_FAIL,
  not_checked: RULES_TEXTS.RULES_UNKNOWN,
  not_applicable: RULES_TEXTS.RULES_NOT_APPLICABLE,
} as const

function RuleResult({ rule }: { readonly rule: Rule }) {
  const t = useText()
  const { question, remedy } = RULES[rule.code]
  const needsAction = rule.status === 'fail' || rule.status === 'not_checked'
  return (
    <li className="card">
      <div className="row">
        <Tag tone={toneOf(rule)}>{t(STATUSES[rule.status]())}</Tag>
        {rule.is_blocking && <Tag>{t(RULES_TEXTS.RULES_BLOCKING())}</Tag>}
        <span className="muted">{rule.code}</span>
      </div>
      <h3>{t(question())}</h3>
      <p>{rule.message}</p>
      {needsAction && (
        <p>
          <b>{t(RULES_TEXTS.RULES_REMEDY())}</b>
          {t(remedy())}
        </p>
      )}
    </li>
  )
}
