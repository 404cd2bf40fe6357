import { useText } from '../../kernel/text.tsx'
import { Button, Select, TextField } from '../../ui/controls.tsx'
import { ALARM_TEXTS } from './texts.ts'
import type { TriageAction, TriageOptions } from './triage.tsx'

/** Minutes for which incidents are snoozed. */
const SNOOZES = ['15', '60', '240', '1440'] as const

/** Characters; the limit of the API. */
const NOTE_MAX = 1000

interface TriageBarProps {
  readonly count: number
  readonly isRunning: boolean
  readonly options: TriageOptions
  readonly onOptions: (options: TriageOptions) => void
  readonly onAction: (action: TriageAction) => void
}

/** The actions for the selected incidents, the note that goes with them, and the keys. */
export function TriageBar({ count, isRunning, options, onOptions, onAction }: TriageBarProps) {
  const t = useText()
  const isDisabled = count === 0 || isRunning
  const keys = [
    { keys: ['↑', '↓'], text: ALARM_TEXTS.ALARMS_KEY_MOVE },
    { keys: ['Home', 'End'], text: ALARM_TEXTS.ALARMS_KEY_ENDS },
    { keys: [t(ALARM_TEXTS.ALARMS_SPACE())], text: ALARM_TEXTS.ALARMS_KEY_SELECT },
    { keys: ['A'], text: ALARM_TEXTS.ALARMS_KEY_ACKNOWLEDGE },
    { keys: ['S'], text: ALARM_TEXTS.ALARMS_KEY_SNOOZE },
    { keys: ['C'], text: ALARM_TEXTS.ALARMS_KEY_CLOSE },
  ]
  return (
    <section className="card stack" aria-label={t(ALARM_TEXTS.ALARMS_TRIAGE())}>
      <div className="row triage">
        <TextField
          label={t(ALARM_TEXTS.ALARMS_NOTE())}
          value={options.note}
          maxLength={NOTE_MAX}
          onChange={(note) => onOptions({ ...options, note })}
        />
        <Select
          label={t(ALARM_TEXTS.ALARMS_SNOOZE_FOR())}
          value={String(options.snoozeMinutes)}
          onChange={(minutes) => onOptions({ ...options, snoozeMinutes: Number(minutes) })}
          options={SNOOZES.map((value) => ({
            value,
            text:
              Number(value) < 60
                ? t(ALARM_TEXTS.ALARMS_MINUTES({ count: Number(value) }))
                : t(ALARM_TEXTS.ALARMS_HOURS({ count: Number(value) / 60 })),
          }))}
        />
      </div>
      <div className="row">
        <Button variant="primary" isDisabled={isDisabled} onPress={() => onAction('acknowledge')}>
          {t(ALARM_TEXTS.ALARMS_ACKNOWLEDGE_SELECTED({ count }))}
        </Button>
        <Button isDisabled={isDisabled} onPress={() => onAction('snooze')}>
          {t(ALARM_TEXTS.ALARMS_SNOOZE_SELECTED({ count }))}
        </Button>
        <Button isDisabled={isDisabled} onPress={() => onAction('close')}>
          {t(ALARM_TEXTS.ALARMS_CLOSE_SELECTED({ count }))}
        </Button>
      </div>
      <p className="muted">{t(ALARM_TEXTS.ALARMS_KEYS())}</p>
      <ul className="plain row triage-keys" aria-label={t(ALARM_TEXTS.ALARMS_KEYS_TITLE())}>
        {keys.map((one) => (
          <li key={one.keys[0]}>
            {one.keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {t(one.text())}
          </li>
        ))}
      </ul>
    </section>
  )
}
