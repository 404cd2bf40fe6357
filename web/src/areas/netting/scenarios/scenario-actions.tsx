import { useNavigate } from '@tanstack/react-router'
import { useCan, useClient } from '../../../api/session.tsx'
import { useText } from '../../../kernel/text.tsx'
import { SCENARIOS } from '../../../records/calculation-resources.ts'
import { RecordButtons } from '../../../records/record-buttons.tsx'
import { useAction } from '../../../ui/action.tsx'
import { Button } from '../../../ui/controls.tsx'
import { LIST, type Scenario, useScenarioRefresh } from './data.ts'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

const NAME_MAX = 200

/** What may be done with a scenario. */
export function ScenarioActions({ scenario }: { readonly scenario: Scenario }) {
  const t = useText()
  const can = useCan()
  const { api } = useClient()
  const navigate = useNavigate()
  const refresh = useScenarioRefresh()
  const { run, isRunning, notice } = useAction([])
  const compareMonthly = async () => {
    const { data } = await api.post(LIST, { body: nettedByMonth(scenario, t(monthlyName(scenario))) })
    await navigate({ to: '/netting/scenarios/comparison', search: { ids: `${scenario.id},${data.id}` } })
    await refresh()
    return undefined
  }
  return (
    <>
      <div className="row">
        <RecordButtons
          resource={SCENARIOS}
          record={{ ...scenario }}
          onDeleted={() => void navigate({ to: '/netting/scenarios' })}
        />
        {can('manage:netting') && (
          <Button isDisabled={isRunning} onPress={() => void run(compareMonthly)}>
            {t(TEXTS.SCENARIOS_MONTHLY())}
          </Button>
        )}
      </div>
      {notice}
    </>
  )
}

const monthlyName = ({ name }: Scenario) =>
  TEXTS.SCENARIOS_MONTHLY_NAME({ name: name.slice(0, NAME_MAX / 2) })

/** The same scenario with its groups netted by month. */
const nettedByMonth = ({ group_ids, from, to, changes, cost_try }: Scenario, name: string) => ({
  ...{ name, group_ids, from, to },
  changes: [
    ...changes,
    ...group_ids.map((group_id) => ({ type: 'netting_interval', group_id, interval: 'month' }) as const),
  ],
  ...(cost_try !== null && { cost_try }),
})
