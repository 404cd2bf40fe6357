import { useState } from 'react'
import type { Message } from '../../../../../src/kernel/messages.ts'
import type { JsonSchema } from '../../../forms/schema.ts'
import { useText } from '../../../kernel/text.tsx'
import { Button } from '../../../ui/controls.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { type Change, moved } from './change-form.ts'
import { addedFacilities, useChangeText } from './change-text.tsx'
import { changeWord } from './change-texts.ts'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

interface ChangeEditorProps {
  /** The schema of a change. */
  readonly schema: JsonSchema
  readonly changes: readonly Change[]
  readonly onChange: (changes: readonly Change[]) => void
  /** What it means that there is no change. */
  readonly emptyText: Message
}

/** The changes of a scenario in their order: added, edited, moved and removed. */
export function ChangeEditor({ schema, changes, onChange, emptyText }: ChangeEditorProps) {
  const t = useText()
  /** The position that is edited; the length of the list for a new change. */
  const [edited, setEdited] = useState<number>()
  const apply = (change: Change) => {
    onChange(edited === undefined ? changes : changes.toSpliced(edited, 1, change))
    setEdited(undefined)
  }
  return (
    <section className="card">
      <h2>{t(TEXTS.SCENARIOS_CHANGES())}</h2>
      <p className="muted">{t(changes.length === 0 ? emptyText : TEXTS.SCENARIOS_CHANGES_HELP())}</p>
      <Entries changes={changes} onChange={onChange} onEdit={setEdited} />
      <div>
        <Button onPress={() => setEdited(changes.length)}>{t(TEXTS.SCENARIOS_ADD_CHANGE())}</Button>
      </div>
      {edited !== undefined && (
        <ChangeDialog
          title={
            edited === changes.length
              ? t(TEXTS.SCENARIOS_ADD_CHANGE())
              : t(TEXTS.SCENARIOS_EDIT_OF({ number: edited + 1 }))
          }
          schema={schema}
          change={changes[edited]}
          added={addedFacilities(changes.slice(0, edited))}
          onApply={apply}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  )
}

interface EntriesProps extends Pick<ChangeEditorProps, 'changes' | 'onChange'> {
  readonly onEdit: (index: number) => void
}

function Entries({ changes, onChange, onEdit }: EntriesProps) {
  const t = useText()
  const textOf = useChangeText(changes)
  return (
    <ol className="change-list">
      {changes.map((change, index) => {
        const number = index + 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position is what identifies a change
          <li key={index}>
            <b>{changeWord(change.type, t)}</b> <span className="muted">{textOf(change)}</span>
            <div className="row">
              <Button aria-label={t(TEXTS.SCENARIOS_EDIT_OF({ number }))} onPress={() => onEdit(index)}>
                {t(TEXTS.SCENARIOS_EDIT())}
              </Button>
              <Button
                aria-label={t(TEXTS.SCENARIOS_UP({ number }))}
                isDisabled={index === 0}
                onPress={() => onChange(moved(changes, index, -1))}
              >
                ↑
              </Button>
              <Button
                aria-label={t(TEXTS.SCENARIOS_DOWN({ number }))}
                isDisabled={index === changes.length - 1}
                onPress={() => onChange(moved(changes, index, 1))}
              >
                ↓
              </Button>
              <Button
                aria-label={t(TEXTS.SCENARIOS_REMOVE({ number }))}
                onPress={() => onChange(changes.toSpliced(index, 1))}
              >
                ×
              </Button>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
