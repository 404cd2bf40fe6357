import { useText } from '../../kernel/text.tsx'
import { Checkbox } from '../../ui/inputs.tsx'
import type { Role } from './states.ts'
import { ADMIN_TEXTS } from './texts.ts'

interface RoleChoiceProps {
  readonly roles: readonly Role[]
  readonly selected: readonly string[]
  readonly onChange: (selected: readonly string[]) => void
}

export function RoleChoice({ roles, selected, onChange }: RoleChoiceProps) {
  const t = useText()
  return (
    <fieldset className="choices">
      <legend>{t(ADMIN_TEXTS.ADMIN_ROLES())}</legend>
      {roles.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          isChecked={selected.includes(id)}
          onChange={(isChecked) =>
            onChange(isChecked ? [...selected, id] : selected.filter((one) => one !== id))
          }
        />
      ))}
    </fieldset>
  )
}
