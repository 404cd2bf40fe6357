import { PERMISSIONS, type Permission } from '../../../../src/kernel/permissions.ts'
import { useCan } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { permissionSummary } from '../../records/permission-texts.ts'
import { valueText } from '../../records/value-texts.ts'
import { Checkbox } from '../../ui/inputs.tsx'
import { ADMIN_TEXTS } from './texts.ts'

interface PermissionChoiceProps {
  readonly selected: readonly Permission[]
  readonly onChange: (selected: readonly Permission[]) => void
}

/** The permissions that the user may grant: only those that the user has. */
export function PermissionChoice({ selected, onChange }: PermissionChoiceProps) {
  const t = useText()
  const can = useCan()
  return (
    <fieldset className="choices">
      <legend>{t(ADMIN_TEXTS.ADMIN_PERMISSIONS())}</legend>
      {PERMISSIONS.filter(can).map((permission) => (
        <Checkbox
          key={permission}
          label={valueText(permission, t)}
          isChecked={selected.includes(permission)}
          onChange={(isChecked) =>
            onChange(isChecked ? [...selected, permission] : selected.filter((one) => one !== permission))
          }
        />
      ))}
    </fieldset>
  )
}

/** What a role or a key may do, by what it may read and manage. */
export function PermissionSummary({ permissions }: { readonly permissions: readonly string[] }) {
  const t = useText()
  return permissionSummary(permissions, t).map((line) => <div key={line}>{line}</div>)
}
