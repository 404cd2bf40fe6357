import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useCan, useClient } from '../../api/session.tsx'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button } from '../../ui/controls.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { RolloutProgress } from './rollout-progress.tsx'
import { BATCH_STATES, type Batch } from './states.ts'
import { UPDATE_TEXTS } from './texts.ts'
import { UpdateTable } from './update-table.tsx'

const REFRESH_MS = 3_000

/** One rollout: its waves, its progress and its updates. */
export function BatchPage() {
  const { batchId } = useParams({ from: '/signed-in/updates/batches/$batchId' })
  const query = useGet('/api/ota/batches/{id}', { path: { id: batchId } }, { refetchInterval: REFRESH_MS })
  return (
    <Page title={useTitle(query.data)}>
      <Loaded query={query}>{(batch) => <BatchState batch={batch} />}</Loaded>
      <UpdateTable batchId={batchId} />
    </Page>
  )
}

/** The rollout with the version that it installs, as soon as it is read. */
function useTitle(batch: Batch | undefined): string {
  const t = useText()
  const can = useCan()
  const id = batch?.firmware_version_id ?? ''
  const { data } = useGet(
    '/api/firmware/versions/{id}',
    { path: { id } },
    { enabled: id !== '' && can('read:firmware') },
  )
  return data === undefined
    ? t(UPDATE_TEXTS.UPDATES_BATCH())
    : t(UPDATE_TEXTS.UPDATES_BATCH_OF({ version: data.version }))
}

function BatchState({ batch }: { readonly batch: Batch }) {
  const t = useText()
  const { language } = useLanguage()
  const { wave, wave_sizes, finished_at, success_threshold_pct, error_threshold_pct } = batch
  return (
    <section className="card">
      <div className="row">
        <StateTag states={BATCH_STATES} value={batch.status} />
        <RolloutProgress batch={batch} />
      </div>
      <DetailList
        entries={[
          [
            t(UPDATE_TEXTS.UPDATES_WAVE()),
            t(UPDATE_TEXTS.UPDATES_WAVE_OF({ wave, count: wave_sizes.length })),
          ],
          [
            t(UPDATE_TEXTS.UPDATES_THRESHOLDS()),
            t(
              UPDATE_TEXTS.UPDATES_THRESHOLD_TEXT({
                success: success_threshold_pct,
                error: error_threshold_pct,
              }),
            ),
          ],
          [t(UPDATE_TEXTS.UPDATES_CREATED()), formatInstant(batch.created_at, 'dateTime', language)],
          [
            t(UPDATE_TEXTS.UPDATES_FINISHED()),
            finished_at === null ? null : formatInstant(finished_at, 'dateTime', language),
          ],
          [t(UPDATE_TEXTS.UPDATES_REASON()), batch.reason],
        ]}
      />
      <BatchActions batch={batch} />
    </section>
  )
}

function BatchActions({ batch: { id, status, counts } }: { readonly batch: Batch }) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const [isAsked, setAsked] = useState(false)
  const { run, isRunning, notice } = useAction(['/api/ota/batches/{id}', '/api/ota/updates'])
  const cancel = async () => {
    await api.post('/api/ota/batches/{id}/cancel', { path: { id } })
    return undefined
  }
  const rollBack = async () => {
    setAsked(false)
    await api.post('/api/ota/batches/{id}/rollback', { path: { id } })
    return undefined
  }
  if (!can('manage:ota')) return null
  return (
    <>
      {notice}
      <div className="row">
        {status === 'running' && (
          <Button isDisabled={isRunning} onPress={() => void run(cancel)}>
            {t(UPDATE_TEXTS.UPDATES_CANCEL())}
          </Button>
        )}
        {(counts['succeeded'] ?? 0) > 0 && !isAsked && (
          <Button onPress={() => setAsked(true)}>{t(UPDATE_TEXTS.UPDATES_ROLL_BACK())}</Button>
        )}
        {isAsked && (
          <>
            <Button isDisabled={isRunning} onPress={() => void run(rollBack)}>
              {t(UPDATE_TEXTS.UPDATES_ROLL_BACK_SURE())}
            </Button>
            <Button onPress={() => setAsked(false)}>{t(UI_TEXTS.UI_CANCEL())}</Button>
          </>
        )}
      </div>
    </>
  )
}
