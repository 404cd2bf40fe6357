import { useText } from '../../kernel/text.tsx'
import { Select } from '../../ui/controls.tsx'
import { SETUP_TEXTS } from './texts.ts'

interface RecordSelectProps {
  readonly label: string
  /** Id of the selected record; empty for none. */
  readonly value: string
  readonly onChange: (id: string) => void
  readonly records: readonly { readonly id: string; readonly name: string }[]
}

/** A choice among the records of a list, with none selected at first. */
export function RecordSelect({ label, value, onChange, records }: RecordSelectProps) {
  const t = useText()
  return (
    <Select
      label={label}
      value={value}
      onChange={onChange}
      options={[
        { value: '', text: t(SETUP_TEXTS.SETUP_SELECT()) },
        ...records.map(({ id, name }) => ({ value: id, text: name })),
      ]}
    />
  )
}
