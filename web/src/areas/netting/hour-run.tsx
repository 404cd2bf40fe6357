import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { formatInstant, monthOf } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Detail, Details } from '../../ui/details.tsx'
import { DownloadButton } from '../../ui/download.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { useGroupMonth } from './group-month.ts'
import type { HourlyRow } from './hour-provenance.tsx'
import { PROVENANCE_TEXTS } from './provenance-texts.ts'
import { SCENARIOS, STAGES, TRIGGERS, useWord } from './words.ts'

/** The runs of a month that are searched for the run of an hour, the latest first. */
const RUNS_READ = 500

/** The run that calculated an hour, and how to compute it again. */
export function HourRun({ row }: { readonly row: HourlyRow }) {
  const t = useText()
  const word = useWord()
  const { language } = useLanguage()
  const { path } = useGroupMonth()
  const month = monthOf(Date.parse(row.hour))
  const runs = useGet('/api/mahsuplasma/groups/{id}/runs', {
    path,
    query: { billing_period: `${month}-01`, limit: RUNS_READ },
  })
  return (
    <section className="stack">
      <h3>{t(PROVENANCE_TEXTS.PROVENANCE_RUN())}</h3>
      <Loaded query={runs}>
        {(all) => {
          const run = all.find(({ id }) => id === row.calculation_run_id)
          return (
            <Details>
              <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_RUN_ID())}>
                <code>{row.calculation_run_id}</code>
              </Detail>
              {run && (
                <>
                  <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_STARTED())}>
                    {formatInstant(run.started_at, 'dateTime', language)}
                  </Detail>
                  <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_TRIGGER())}>
                    {word(TRIGGERS, run.triggered_by)}
                    {run.stage !== null && `, ${word(STAGES, run.stage)}`}
                  </Detail>
                  <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_SCENARIO())}>
                    {word(SCENARIOS, run.scenario)}
                  </Detail>
                  <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_EVALUATION())}>
                    {run.eligibility_run_id === null ? (
                      t(UI_TEXTS.UI_NONE())
                    ) : (
                      <code>{run.eligibility_run_id}</code>
                    )}
                  </Detail>
                  <Detail term={t(PROVENANCE_TEXTS.PROVENANCE_HASH())}>
                    <code>{run.input_hash}</code>
                  </Detail>
                </>
              )}
            </Details>
          )
        }}
      </Loaded>
      <AuditPackage month={month} />
    </section>
  )
}

/** The archive that proves the figures of a month, and the command that computes them again. */
function AuditPackage({ month }: { readonly month: string }) {
  const t = useText()
  const { api } = useClient()
  const { path } = useGroupMonth()
  const name = `netsaat-audit-${month}.zip`
  return (
    <section className="stack">
      <h3>{t(PROVENANCE_TEXTS.PROVENANCE_REPLAY())}</h3>
      <p>
        {t(PROVENANCE_TEXTS.PROVENANCE_PACKAGE())} {t(PROVENANCE_TEXTS.PROVENANCE_COMMAND())}
      </p>
      <pre className="command">netsaat audit replay {name}</pre>
      <DownloadButton
        label={t(PROVENANCE_TEXTS.PROVENANCE_DOWNLOAD())}
        name={name}
        read={() =>
          api.get('/api/mahsuplasma/groups/{id}/audit-package', {
            path,
            query: { billing_period: `${month}-01` },
          })
        }
      />
    </section>
  )
}
