import { useText } from '../../kernel/text.tsx'
import type { Batch } from './states.ts'
import { UPDATE_TEXTS } from './texts.ts'

/** How many updates of a rollout are installed, as a bar and as a text. */
export function RolloutProgress({ batch: { counts, wave_sizes } }: { readonly batch: Batch }) {
  const t = useText()
  const total = wave_sizes.reduce((sum, size) => sum + size, 0)
  const done = counts['succeeded'] ?? 0
  const failed = counts['failed'] ?? 0
  const text = t(UPDATE_TEXTS.UPDATES_PROGRESS_TEXT({ done, total, failed }))
  return (
    <span className="row">
      <progress max={total} value={done} aria-label={text} />
      {text}
    </span>
  )
}
